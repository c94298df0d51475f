import { z } from "zod";

/** What an owner can do about the plan from the service's pages. */
export const billingSchema = z
  .enum(["operator", "checkout", "portal"])
  .describe(
    "How the plan is changed: by the service's operator alone, by buying it in a checkout, or in the billing " +
      "portal of a subscription.",
  );

export const billingLinkSchema = z
  .object({
    schema_version: z.literal("service-billing-link.v1"),
    url: z.url().describe("A page at Stripe, for this person and for a while."),
  })
  .meta({ id: "BillingLink" });
export type BillingLink = z.output<typeof billingLinkSchema>;
