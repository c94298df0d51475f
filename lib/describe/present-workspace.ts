import type { z } from "zod";
import { isBillingOn } from "@/lib/billing/stripe-client";
import type { workspaceSchema } from "@/lib/schemas/account";
import type { billingSchema } from "@/lib/schemas/billing";
import { endOfPatience, isActive } from "@/lib/store/people/subscription";
import { listWorkspaces } from "@/lib/store/people/workspaces";

/** A person's workspaces, as shown to that person. */
export async function presentWorkspaces(userId: string, now: Date): Promise<z.output<typeof workspaceSchema>[]> {
  const workspaces = await listWorkspaces(userId);
  return workspaces.map((workspace) => ({
    id: workspace.id,
    name: workspace.name,
    personal: workspace.personal,
    role: workspace.role ?? "member",
    members: workspace.members,
    plan: workspace.plan,
    subscription: workspace.subscription,
    subscription_active: isActive(workspace, now),
    past_due_until: workspace.pastDueSince && endOfPatience(workspace.pastDueSince).toISOString(),
    billing: billingOf(workspace),
    created_at: workspace.createdAt.toISOString(),
  }));
}

/** A subscription that has not ended is changed in the portal; a paid plan without one was set by the administrator. */
function billingOf({
  plan,
  subscription,
  stripeSubscriptionId,
}: Awaited<ReturnType<typeof listWorkspaces>>[number]): z.output<typeof billingSchema> {
  if (!isBillingOn()) return "operator";
  if (stripeSubscriptionId !== null && subscription !== "canceled") return "portal";
  return plan === "paid" ? "operator" : "checkout";
}
