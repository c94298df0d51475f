import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { database } from "@/lib/store/database";
import { useTestState } from "@/lib/testing/database";
import { STRIPE_KEY, STRIPE_SIGNING, StripeStandIn, signedEvent } from "@/lib/testing/stripe-stand-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { plainResponse } from "./deferred-body";
import { stripeWebhook } from "./stripe-webhook";

const provider = await new StripeStandIn().listen();
const state = useTestState(provider.settings());

let customer = "";
let workspaceId = "";

beforeEach(async () => {
  ({ workspaceId, customer } = await newCustomer());
});
afterEach(() => {
  provider.before = () => undefined;
});

async function newCustomer(): Promise<{ workspaceId: string; customer: string }> {
  const made = await newWorkspace();
  const id = `cus_${randomUUID()}`;
  provider.customers.set(id, { id, object: "customer" });
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: made.workspaceId }, data: { stripeCustomerId: id } });
  return { workspaceId: made.workspaceId, customer: id };
}

const event = (type: string, object: Record<string, unknown> = { customer }, id = `evt_${randomUUID()}`) => ({
  id,
  object: "event",
  type,
  created: Math.floor(Date.now() / 1000),
  data: { object },
});

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

const deliver = (sent: unknown) => send(signedEvent(sent));

async function planOf(id = workspaceId) {
  const { prisma } = await database();
  const { plan, subscription, stripeSubscriptionId } = await prisma.workspace.findUniqueOrThrow({ where: { id } });
  return { plan, subscription, stripeSubscriptionId };
}

async function audits(id = workspaceId) {
  const { prisma } = await database();
  return await prisma.auditEvent.findMany({
    where: { workspaceId: id, action: "plan.changed" },
    orderBy: { at: "asc" },
  });
}

const FREE = { plan: "free", subscription: null, stripeSubscriptionId: null };

describe("an event with Stripe's signature", () => {
  test.each([
    "checkout.session.completed",
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.resumed",
  ])("%s: the plan is paid, by billing, in the audit log", async (type) => {
    const subscription = provider.subscribe(customer, workspaceId, "active");
    const sent = event(type);
    const reply = await deliver(sent);
    expect([reply.status, reply.body]).toEqual([200, { received: true }]);
    expect(await planOf()).toEqual({ plan: "paid", subscription: "active", stripeSubscriptionId: subscription });
    expect(await audits()).toMatchObject([
      {
        actor: "billing",
        userId: null,
        subject: workspaceId,
        details: {
          from: { plan: "free", subscription: null },
          to: { plan: "paid", subscription: "active" },
          event: sent.id,
        },
      },
    ]);
  });

  test.each([
    ["invoice.payment_failed", "past_due", { plan: "paid", subscription: "past_due" }],
    ["customer.subscription.paused", "paused", { plan: "free", subscription: "past_due" }],
    ["customer.subscription.deleted", "canceled", { plan: "free", subscription: "canceled" }],
  ])("%s of a paying workspace: the subscription is %s", async (type, status, expected) => {
    const subscription = provider.subscribe(customer, workspaceId, "active");
    await deliver(event("customer.subscription.created"));
    provider.subscribe(customer, workspaceId, status, subscription);
    expect((await deliver(event(type))).status).toBe(200);
    expect(await planOf()).toMatchObject(expected);
    expect(await audits()).toHaveLength(2);
  });

  test("of an irrelevant type or customer is accepted and changes nothing", async () => {
    provider.subscribe(customer, workspaceId, "active");
    const asked = provider.asked.length;
    for (const sent of [
      event("invoice.paid"),
      event("customer.subscription.updated", { customer: "cus_of_somebody_else" }),
      event("invoice.payment_failed", { customer: null }),
    ])
      expect((await deliver(sent)).status).toBe(200);
    expect(provider.asked).toHaveLength(asked);
    expect(await planOf()).toEqual(FREE);
  });

  test("may contain the expanded customer", async () => {
    provider.subscribe(customer, workspaceId, "active");
    await deliver(event("customer.subscription.updated", { customer: { id: customer, object: "customer" } }));
    expect(await planOf()).toMatchObject({ plan: "paid" });
  });
});

describe("an invalid event changes nothing", () => {
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const cases: [what: string, sent: () => { body: string; signature: string }][] = [
    ["another secret", () => signedEvent(event("customer.subscription.updated"), { secret: "whsec_wrong" })],
    [
      "a signature of five minutes and a second ago",
      () => signedEvent(event("customer.subscription.updated"), { atSeconds: nowSeconds() - 301 }),
    ],
    ["no signature", () => ({ ...signedEvent(event("customer.subscription.updated")), signature: "" })],
    [
      "a malformed signature",
      () => ({ ...signedEvent(event("customer.subscription.updated")), signature: "t=1,v1=zz" }),
    ],
    [
      "a signature with another time",
      () => {
        const { body, signature } = signedEvent(event("customer.subscription.updated"), {
          atSeconds: nowSeconds() - 400,
        });
        return { body, signature: signature.replace(/t=\d+/, `t=${nowSeconds()}`) };
      },
    ],
    [
      "a changed body",
      () => {
        const { body, signature } = signedEvent(event("customer.subscription.updated", { customer: "cus_theirs" }));
        return { body: body.replace("cus_theirs", customer), signature };
      },
    ],
    ["a signed body that is no JSON", () => signedEvent("no json")],
  ];

  test.each(cases)("%s: 400 invalid_request", async (_what, sent) => {
    provider.subscribe(customer, workspaceId, "active");
    const asked = provider.asked.length;
    const reply = await send(sent());
    expect([reply.status, reply.body.error, reply.body.schema_version]).toEqual([
      400,
      "invalid_request",
      "service-error.v1",
    ]);
    expect(reply.text).not.toMatch(new RegExp(`${STRIPE_SIGNING}|${STRIPE_KEY}|whsec`));
    expect(reply.headers.get("x-request-id")).toBe(reply.body.request_id);
    expect(provider.asked).toHaveLength(asked);
    expect(await planOf()).toEqual(FREE);
  });

  test("a body over 64 KiB: 413", async () => {
    const sent = signedEvent({ ...event("customer.subscription.updated"), padding: "x".repeat(64 * 1024) });
    expect((await send(sent)).status).toBe(413);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s: 405", async (method) => {
    const reply = await send(signedEvent(event("customer.subscription.updated")), method);
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("without Stripe's settings: 404, as for any unknown path", async () => {
    const { DATABASE_URL = "", PARQUETRY_DATA_DIR } = state.settings();
    const before = processWide("settings", () => readSettings({}));
    forgetProcessWide("settings");
    processWide("settings", () => readSettings({ DATABASE_URL, PARQUETRY_DATA_DIR }));
    try {
      const reply = await deliver(event("customer.subscription.updated"));
      expect([reply.status, reply.body.error]).toEqual([404, "not_found"]);
    } finally {
      forgetProcessWide("settings");
      processWide("settings", () => before);
    }
  });
});

describe("exactly once, in any order", () => {
  test("a replayed event answers 200, asks Stripe nothing and changes nothing", async () => {
    const subscription = provider.subscribe(customer, workspaceId, "active");
    const sent = event("customer.subscription.created");
    await deliver(sent);
    provider.subscribe(customer, workspaceId, "canceled", subscription);
    const asked = provider.asked.length;
    for (let turn = 0; turn < 3; turn += 1) expect((await deliver(sent)).status).toBe(200);
    expect(provider.asked).toHaveLength(asked);
    expect(await planOf()).toMatchObject({ plan: "paid" });
    expect(await audits()).toHaveLength(1);
  });

  test("twenty deliveries of one event at once make one change and one entry", async () => {
    provider.subscribe(customer, workspaceId, "active");
    const sent = event("checkout.session.completed");
    const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(sent)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await audits()).toHaveLength(1);
    const { prisma } = await database();
    expect(await prisma.billingEvent.count({ where: { id: sent.id } })).toBe(1);
  });

  test("an event that is looked up twice at once counts once, even if the replies differ", async () => {
    provider.subscribe(customer, workspaceId, "active");
    const answer = (status: string) => {
      const data = provider.subscriptions.filter((one) => one.customer === customer).map((one) => ({ ...one, status }));
      return { status: 200, body: { object: "list", data, has_more: false } };
    };
    const asked: (() => void)[] = [];
    provider.before = async () => {
      const turn = asked.length;
      await new Promise<void>((resolve) => {
        asked.push(resolve);
        if (asked.length === 2) for (const go of asked) go();
      });
      return answer(turn === 0 ? "active" : "past_due");
    };
    const sent = event("customer.subscription.updated");
    await Promise.all([deliver(sent), deliver(sent)]);
    expect(asked).toHaveLength(2);
    expect(await audits()).toHaveLength(1);
  });

  test("late events apply the current state, not the state when they were sent", async () => {
    const subscription = provider.subscribe(customer, workspaceId, "canceled");
    await deliver(event("customer.subscription.deleted"));
    await deliver(event("customer.subscription.updated", { customer, id: subscription, status: "active" }));
    await deliver(event("customer.subscription.created", { customer, id: subscription, status: "active" }));
    expect(await planOf()).toMatchObject({ plan: "free", subscription: "canceled" });
  });

  test("the end of an old subscription does not end the new one", async () => {
    const old = provider.subscribe(customer, workspaceId, "canceled");
    const young = provider.subscribe(customer, workspaceId, "active");
    await deliver(event("customer.subscription.created", { customer, id: young }));
    await deliver(event("customer.subscription.deleted", { customer, id: old }));
    expect(await planOf()).toEqual({ plan: "paid", subscription: "active", stripeSubscriptionId: young });
  });

  test("a reply requested first that arrives last changes nothing", async () => {
    const subscription = provider.subscribe(customer, workspaceId, "active");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = () => {};
    const asking = new Promise<void>((resolve) => {
      started = resolve;
    });
    provider.before = async () => {
      provider.before = () => undefined;
      const stale = structuredClone(provider.subscriptions.filter((one) => one.customer === customer));
      started();
      await held;
      return { status: 200, body: { object: "list", data: stale, has_more: false } };
    };
    const slow = deliver(event("customer.subscription.updated"));
    await asking;
    provider.subscribe(customer, workspaceId, "canceled", subscription);
    await deliver(event("customer.subscription.deleted"));
    release();
    expect((await slow).status).toBe(200);
    expect(await planOf()).toMatchObject({ plan: "free", subscription: "canceled" });
    expect(await audits()).toHaveLength(1);
  });

  test("while Stripe is unreachable: 503, nothing is recorded, and the same event works later", async () => {
    provider.subscribe(customer, workspaceId, "active");
    const sent = event("customer.subscription.created");
    provider.before = () => ({ status: 500, body: { error: { type: "api_error", message: `broken ${STRIPE_KEY}` } } });
    const reply = await deliver(sent);
    expect([reply.status, reply.body.error, reply.headers.get("retry-after")]).toEqual([503, "unavailable", "30"]);
    expect(reply.text).not.toContain(STRIPE_KEY);
    expect(await planOf()).toEqual(FREE);
    provider.before = () => undefined;
    expect((await deliver(sent)).status).toBe(200);
    expect(await planOf()).toMatchObject({ plan: "paid" });
  });
});

describe("another workspace", () => {
  test("cannot be changed by naming it in an event or a subscription", async () => {
    const theirs = await newCustomer();
    provider.subscribe(customer, theirs.workspaceId, "active");
    for (const object of [
      { customer, metadata: { workspace_id: theirs.workspaceId } },
      { customer, client_reference_id: theirs.workspaceId },
      { customer, metadata: { workspace_id: theirs.workspaceId }, client_reference_id: theirs.workspaceId },
    ])
      expect((await deliver(event("checkout.session.completed", object))).status).toBe(200);
    expect(await planOf(theirs.workspaceId)).toEqual(FREE);
    expect(await planOf()).toEqual(FREE);
  });

  test("keeps its plan when a customer who is gone at Stripe had one", async () => {
    const theirs = await newCustomer();
    for (const one of [theirs, { workspaceId, customer }]) {
      provider.subscribe(one.customer, one.workspaceId, "active");
      await deliver(event("customer.subscription.created", { customer: one.customer }));
    }
    provider.customers.delete(customer);
    await deliver(event("customer.subscription.deleted"));
    expect(await planOf()).toMatchObject({ plan: "free", subscription: "canceled" });
    expect(await planOf(theirs.workspaceId)).toMatchObject({ plan: "paid", subscription: "active" });
  });
});
