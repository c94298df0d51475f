import {
  type BilledWorkspace,
  type BillingOutcome,
  databaseTime,
  type SubscriptionState,
  settleBilling,
} from "@/lib/store/people/billing";
import { askFor } from "./stripe-client";
import { subscriptionStateOf } from "./subscription-state";

const SUBSCRIPTIONS_MAX = 100; // a page of Stripe's list, newest first

/**
 * Sets a workspace's plan from its current subscriptions, whichever event triggered it and in whatever order events
 * arrive.
 */
export async function reconcile(
  workspace: BilledWorkspace,
  event: { id: string; kind: string },
): Promise<BillingOutcome> {
  const { id: workspaceId, stripeCustomerId } = workspace;
  if (stripeCustomerId === null) return "unchanged";
  const requestedAt = await databaseTime();
  const state = await fetchSubscriptionState(workspace);
  return settleBilling({ workspaceId, stripeCustomerId, requestedAt, state, event });
}

/** What a workspace's subscriptions at Stripe currently amount to; undefined if they say nothing about its plan. */
export async function fetchSubscriptionState({
  id,
  stripeCustomerId: customer,
  stripeSubscriptionId,
}: BilledWorkspace): Promise<SubscriptionState | undefined> {
  if (customer === null) return undefined;
  const found = await askFor((client) =>
    client.subscriptions.list({ customer, status: "all", limit: SUBSCRIPTIONS_MAX }),
  );
  return found ? subscriptionStateOf(id, found.data) : ended(stripeSubscriptionId);
}

/** A customer deleted at Stripe no longer pays for anything. */
const ended = (stripeSubscriptionId: string | null): SubscriptionState | undefined =>
  stripeSubscriptionId === null ? undefined : { plan: "free", subscription: "canceled", stripeSubscriptionId };
