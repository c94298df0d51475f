import { createHash } from "node:crypto";
import type Stripe from "stripe";
import { baseUrl, env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { type BilledWorkspace, findBilled, storeCustomer } from "@/lib/store/people/billing";
import { fetchSubscriptionState } from "./reconcile";
import { ask, askFor, isBillingOn } from "./stripe-client";

/** Where Stripe sends people back to. */
const settingsUrl = (workspaceId: string) => `${baseUrl()}/settings/workspace?workspace=${workspaceId}`;

/**
 * The URL of a Stripe page that sells the paid plan to a workspace. Repeated calls return the same page until it is
 * used or expires.
 * Fails with not_found (no such workspace, or billing is off) and conflict (the workspace already has a subscription,
 * which is changed in the billing portal).
 */
export async function startCheckout(workspaceId: string, email: string): Promise<string> {
  const workspace = await billedWorkspace(workspaceId);
  const customer = await customerOf(workspace, email);
  const standing = await fetchSubscriptionState({ ...workspace, stripeCustomerId: customer });
  if (standing && standing.subscription !== "canceled")
    throw fail("conflict", { message: "The workspace already has a subscription. Change it in the billing portal." });
  const { url } = await openSession(workspaceId, customer);
  if (!url) throw new Error("Stripe gave a checkout session without a URL");
  return url;
}

/**
 * The URL of a Stripe page to change, pay for or cancel a subscription. Fails with not_found and conflict (nothing was
 * ever bought).
 */
export async function openPortal(workspaceId: string): Promise<string> {
  const { stripeCustomerId: customer } = await billedWorkspace(workspaceId);
  const session =
    customer === null
      ? undefined
      : await askFor((client) =>
          client.billingPortal.sessions.create({ customer, return_url: settingsUrl(workspaceId) }),
        );
  if (!session) throw fail("conflict", { message: "This workspace has no purchases yet. Start a checkout." });
  return session.url;
}

async function billedWorkspace(workspaceId: string): Promise<BilledWorkspace> {
  const workspace = isBillingOn() ? await findBilled(workspaceId) : undefined;
  if (!workspace) throw fail("not_found");
  return workspace;
}

/**
 * The workspace's permanent customer at Stripe, created before anything can be bought, so that every later event finds
 * its workspace.
 */
async function customerOf(
  { id: workspaceId, stripeCustomerId: former }: BilledWorkspace,
  email: string,
): Promise<string> {
  const known = former === null ? undefined : await askFor((client) => client.customers.retrieve(former));
  if (known && !known.deleted) return known.id;
  const params = { email, metadata: { workspace_id: workspaceId } };
  const made = await ask((client) => client.customers.create(params, onceFor("customer", params, former)));
  const kept = await storeCustomer(workspaceId, made.id, former);
  if (kept === null) throw fail("not_found");
  return kept;
}

/**
 * The open page for this price, or a new one. Pages open for anything else are closed, so that nothing is bought twice.
 */
async function openSession(workspaceId: string, customer: string): Promise<Stripe.Checkout.Session> {
  const params = sessionParams(workspaceId, customer);
  const latest = await ask((client) => client.checkout.sessions.list({ customer, limit: 10 }));
  const open = latest.data.filter(({ status }) => status === "open");
  const usable = open.find(
    ({ metadata, url }) => url && metadata?.price === params.metadata.price && metadata?.workspace_id === workspaceId,
  );
  if (usable) return usable;
  for (const { id } of open) await askFor((client) => client.checkout.sessions.expire(id));
  return ask((client) =>
    client.checkout.sessions.create(params, onceFor("checkout", params, latest.data[0]?.id ?? null)),
  );
}

function sessionParams(workspaceId: string, customer: string) {
  const price = env().STRIPE_PRICE_ID ?? "";
  return {
    mode: "subscription" as const,
    customer,
    client_reference_id: workspaceId,
    line_items: [{ price, quantity: 1 }],
    metadata: { workspace_id: workspaceId, price },
    subscription_data: { metadata: { workspace_id: workspaceId } },
    success_url: settingsUrl(workspaceId),
    cancel_url: settingsUrl(workspaceId),
  };
}

/** Repeated requests with the same key count as one. */
function onceFor(what: string, params: unknown, former: string | null): Stripe.RequestOptions {
  const digest = createHash("sha256")
    .update(JSON.stringify([what, params, former]))
    .digest("base64url");
  return { idempotencyKey: `parquetry-${what}-${digest}` };
}
