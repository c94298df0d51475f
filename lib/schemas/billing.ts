import { z } from "zod";

/** What an owner can do about the plan on the service's pages. */
export const billingSchema = z
  .enum(["operator", "checkout", "portal"])
  .describe("How the plan is changed: by the administrator, in a checkout, or in the subscription's billing portal.");

export const billingLinkSchema = z
  .object({
    schema_version: z.literal("service-billing-link.v1"),
    url: z.url().describe("The URL of a Stripe page, for this person and a limited time."),
  })
  .meta({ id: "BillingLink" });
export type BillingLink = z.output<typeof billingLinkSchema>;
