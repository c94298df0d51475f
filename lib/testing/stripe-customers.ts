import { randomUUID } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import { plainResponse } from "@/lib/http/deferred-body";
import { stripeWebhook } from "@/lib/http/stripe-webhook";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "./database";
import { StripeStandIn, signedEvent } from "./stripe-stand-in";
import { newWorkspace } from "./workspace";

/** The billing state of a workspace that has never paid. */
export const FREE = { plan: "free", subscription: null, stripeSubscriptionId: null };

interface Customer {
  workspaceId: string;
  customer: string;
}

/** Gives the test file a stand-in for Stripe and each test a customer of it. Call at its top, with await. */
export async function useStripeCustomers() {
  const provider = await new StripeStandIn().listen();
  const state = useTestState(provider.settings());
  let own: Customer = { workspaceId: "", customer: "" };
  beforeEach(async () => {
    own = await newCustomer(provider);
  });
  afterEach(() => {
    provider.before = () => undefined;
  });
  const event = (
    type: string,
    object: Record<string, unknown> = { customer: own.customer },
    id = `evt_${randomUUID()}`,
  ) => ({ id, object: "event", type, created: Math.floor(Date.now() / 1000), data: { object } });
  return {
    provider,
    state,
    event,
    send,
    deliver: (sent: unknown) => send(signedEvent(sent)),
    /** The customer of the current test. */
    own: () => own,
    newCustomer: () => newCustomer(provider),
    planOf: (id = own.workspaceId) => planOf(id),
    audits: (id = own.workspaceId) => auditsOf(id),
  };
}

async function newCustomer(provider: StripeStandIn): Promise<Customer> {
  const made = await newWorkspace();
  const id = `cus_${randomUUID()}`;
  provider.customers.set(id, { id, object: "customer" });
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: made.workspaceId }, data: { stripeCustomerId: id } });
  return { workspaceId: made.workspaceId, customer: id };
}

async function send({ body, signature }: { body: string; signature: string }, method = "POST") {
  const init = method === "GET" || method === "HEAD" ? {} : { body };
  const request = new Request("http://localhost/api/stripe/webhook", {
    method,
    headers: { "stripe-signature": signature },
    ...init,
  });
  const reply = plainResponse(await stripeWebhook(request), request);
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

async function planOf(id: string) {
  const { prisma } = await database();
  const { plan, subscription, stripeSubscriptionId } = await prisma.workspace.findUniqueOrThrow({ where: { id } });
  return { plan, subscription, stripeSubscriptionId };
}

async function auditsOf(id: string) {
  const { prisma } = await database();
  return await prisma.auditEvent.findMany({
    where: { workspaceId: id, action: "plan.changed" },
    orderBy: { at: "asc" },
  });
}
