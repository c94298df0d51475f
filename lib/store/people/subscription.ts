import { lookUp } from "@/lib/store/postgres/database";
import type { Plan, Subscription } from "@/prisma/generated/client";

/** How long a subscription stays active after a payment failed to arrive. */
export const PAST_DUE_MS = 7 * 86_400_000;

/** A workspace's recorded plan. A paid plan without a subscription was set by the administrator. */
export interface SubscriptionState {
  plan: Plan;
  subscription: Subscription | null;
  pastDueSince: Date | null;
}

/**
 * THE rule for which workspaces have an active subscription, used for live keys, hosted routes, builds and pages: the
 * paid plan until its end, and seven days while past due. Pure.
 */
export function isActive({ plan, subscription, pastDueSince }: SubscriptionState, now: Date): boolean {
  if (plan !== "paid" || subscription === "canceled") return false;
  return subscription !== "past_due" || (pastDueSince !== null && now < endOfPatience(pastDueSince));
}

/** When a past-due subscription ends, unless it is paid. */
export const endOfPatience = (pastDueSince: Date): Date => new Date(pastDueSince.getTime() + PAST_DUE_MS);

/**
 * The value of `pastDueSince` after a change of plan or subscription. A state that continues keeps its starting time.
 */
export const pastDueSinceAfter = (before: SubscriptionState, to: Subscription | null, at: Date): Date | null =>
  to === "past_due" ? ((before.subscription === "past_due" ? before.pastDueSince : null) ?? at) : null;

const FIND = `SELECT plan::text AS plan, subscription::text AS subscription, "pastDueSince" FROM "Workspace"
  WHERE id = $1::uuid`;

/** Whether a workspace has an active subscription at a moment; false if there is no such workspace. One round trip. */
export async function hasActiveSubscription(workspaceId: string, now: Date): Promise<boolean> {
  const [state] = await lookUp<SubscriptionState>("find-subscription-state", FIND, [workspaceId]);
  return state !== undefined && isActive(state, now);
}
