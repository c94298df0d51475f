import { formatDay } from "@/lib/kernel/format";
import type { Account } from "@/lib/schemas/account";

type Workspace = Account["workspaces"][number];

/** The state of a workspace's subscription, and what it means for builds and live keys. */
export function subscriptionText(workspace: Workspace): string {
  const { plan, subscription, subscription_active: isActive, past_due_until: until, billing } = workspace;
  if (isActive && until !== null)
    return (
      `The last payment failed. Builds and live keys work until ${formatDay(until)}. ` +
      (billing === "operator" ? "The administrator can extend that." : "Pay by then to keep them.")
    );
  if (isActive) return subscription ? "The subscription is active." : `The workspace is on the ${plan} plan.`;
  if (subscription === "past_due")
    return "The subscription is past due. Until it is paid, builds don’t start and live keys get 402.";
  if (subscription === "canceled") return "The subscription has ended. Builds don’t start, and live keys get 402.";
  return "The workspace has no subscription.";
}
