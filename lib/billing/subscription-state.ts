import type { SubscriptionState } from "@/lib/store/people/billing";

/** The fields read from a Stripe subscription. */
export interface StripeSubscription {
  id: string;
  status: string;
  created: number;
  metadata: Readonly<Record<string, string>>;
}

/**
 * What each status of a subscription means here, best first. Statuses that are not listed have no effect: `incomplete`
 * and `incomplete_expired` (a first payment that has not arrived), and any that Stripe may add.
 */
const MEANINGS: readonly (readonly [status: string, Pick<SubscriptionState, "plan" | "subscription">])[] = [
  ["active", { plan: "paid", subscription: "active" }],
  ["trialing", { plan: "paid", subscription: "active" }],
  ["past_due", { plan: "paid", subscription: "past_due" }], // Stripe still tries to collect
  // Stripe has given up, and a payment reactivates the subscription
  ["unpaid", { plan: "free", subscription: "past_due" }],
  // a trial ended without a payment method, or the customer paused it
  ["paused", { plan: "free", subscription: "past_due" }],
  ["canceled", { plan: "free", subscription: "canceled" }],
];

/**
 * What a workspace's subscriptions amount to. The best one decides, the newest among equals. Undefined if none of them
 * says anything. Pure.
 */
export function subscriptionStateOf(
  workspaceId: string,
  subscriptions: readonly StripeSubscription[],
): SubscriptionState | undefined {
  const own = subscriptions
    .filter(({ metadata }) => metadata.workspace_id === workspaceId)
    .toSorted((a, b) => b.created - a.created);
  for (const [status, meaning] of MEANINGS) {
    const best = own.find((subscription) => subscription.status === status);
    if (best) return { ...meaning, stripeSubscriptionId: best.id };
  }
  return undefined;
}
