import { membershipOf, personOf } from "@/lib/access/authorize";
import { openPortal, startCheckout as start } from "@/lib/billing/checkout";
import { operation } from "@/lib/operations/operation";
import { type BillingLink, billingLinkSchema } from "@/lib/schemas/billing";
import { workspacePathSchema } from "@/lib/schemas/workspace";

/** POST: a Stripe page that sells the paid plan. */
export const startCheckout = operation({
  name: "start_checkout",
  summary: "Buy the paid plan",
  description:
    "For owners. Returns the URL of a Stripe checkout page, the same one until it is used or expires. The plan " +
    "changes once Stripe confirms the payment. Returns conflict if the workspace has a subscription, and 404 if " +
    "plans are set by the administrator.",
  access: "owner",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/checkout" },
  input: { path: workspacePathSchema },
  output: billingLinkSchema,
  errors: ["conflict"],
  async run(_input, ctx): Promise<BillingLink> {
    return link(await start(membershipOf(ctx).workspaceId, personOf(ctx).email));
  },
});

/** POST: a Stripe page that changes, pays or cancels a subscription. */
export const openBillingPortal = operation({
  name: "open_billing_portal",
  summary: "Open the billing portal",
  description:
    "For owners. Returns the URL of the Stripe billing portal for invoices, payment methods and cancellation. " +
    "Returns conflict if nothing was ever bought for the workspace, and 404 if plans are set by the administrator.",
  access: "owner",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/billing-portal" },
  input: { path: workspacePathSchema },
  output: billingLinkSchema,
  errors: ["conflict"],
  async run(_input, ctx): Promise<BillingLink> {
    return link(await openPortal(membershipOf(ctx).workspaceId));
  },
});

const link = (url: string): BillingLink => ({ schema_version: "service-billing-link.v1", url });
