import { beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { FREE, useStripeCustomers } from "@/lib/testing/stripe-customers";
import { STRIPE_KEY, STRIPE_SIGNING, signedEvent } from "@/lib/testing/stripe-stand-in";

const { provider, state, event, send, deliver, own, planOf, audits } = await useStripeCustomers();

let customer = "";
let workspaceId = "";
beforeEach(() => {
  ({ customer, workspaceId } = own());
});

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
      "a signature that is five minutes and one second old",
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
    ["a signed body that is not JSON", () => signedEvent("no json")],
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
