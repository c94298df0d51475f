import type Stripe from "stripe";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { type BillingOutcome, findCustomersWorkspace, isKnownEvent } from "@/lib/store/people/billing";
import { reconcile } from "./reconcile";
import { stripe } from "./stripe-client";

const KINDS: ReadonlySet<string> = new Set<Stripe.Event["type"]>([
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "invoice.payment_failed",
]);

/** How old a signature may be, in seconds: what Stripe's own libraries allow. */
const TOLERANCE_SECONDS = 300;

export interface Received {
  id: string;
  kind: string;
  /** `ignored`: an event type or a customer that has no bearing on any plan here. */
  outcome: BillingOutcome | "ignored";
}

/**
 * Processes an event signed by Stripe. The event only says whose subscriptions to look up; their current state is
 * fetched from Stripe.
 * Fails with invalid_request if the signature is invalid, and with unavailable if Stripe does not respond; Stripe then
 * resends the event.
 */
export async function receiveEvent(body: Uint8Array, signature: string): Promise<Received> {
  const event = await verified(body, signature);
  const received = { id: event.id, kind: event.type };
  const customer = KINDS.has(event.type) ? customerOf(event) : undefined;
  const workspace = customer === undefined ? undefined : await findCustomersWorkspace(customer);
  if (!workspace) return { ...received, outcome: "ignored" };
  if (await isKnownEvent(event.id)) return { ...received, outcome: "replayed" };
  return { ...received, outcome: await reconcile(workspace, received) };
}

async function verified(body: Uint8Array, signature: string): Promise<Stripe.Event> {
  const { webhooks } = await stripe();
  try {
    return webhooks.constructEvent(body, signature, env().STRIPE_WEBHOOK_SECRET ?? "", TOLERANCE_SECONDS);
  } catch {
    // the library's own error contains the body
    throw fail("invalid_request", { message: "The signature is invalid for this body, or too old." });
  }
}

/** Every kind that is processed concerns an object that names its customer. */
function customerOf({ data }: Stripe.Event): string | undefined {
  const { customer } = data.object as { customer?: unknown };
  if (typeof customer === "string") return customer;
  return typeof customer === "object" && customer !== null && "id" in customer ? String(customer.id) : undefined;
}
