import { beforeEach, describe, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { FREE, useStripeCustomers } from "@/lib/testing/stripe-customers";
import { STRIPE_KEY } from "@/lib/testing/stripe-stand-in";

const { provider, event, deliver, own, newCustomer, planOf, audits } = await useStripeCustomers();

let customer = "";
let workspaceId = "";
beforeEach(() => {
  ({ customer, workspaceId } = own());
});

describe("exactly once, in any order", () => {
  test("a replayed event gets 200, sends Stripe no request and changes nothing", async () => {
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

  test("keeps its plan if a customer deleted at Stripe had one", async () => {
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
