import { formatDay } from "@/lib/kernel/format";
import type { Account } from "@/lib/schemas/account";

type Workspace = Account["workspaces"][number];

/** How a workspace's subscription is, and what that means for builds and live keys. */
export function subscriptionWords(workspace: Workspace): string {
  const { plan, subscription, subscription_active: isActive, past_due_until: until } = workspace;
  if (isActive && until !== null)
    return `The last payment failed. Builds and live keys work until ${formatDay(until)}; pay to keep them.`;
  if (isActive) return subscription ? "The subscription is active." : `The plan is ${plan}.`;
  if (subscription === "past_due")
    return "The subscription is past due: builds do not start and live keys get 402 until it is paid.";
  if (subscription === "canceled") return "The subscription has ended: builds do not start and live keys get 402.";
  return "The workspace has no subscription.";
}
