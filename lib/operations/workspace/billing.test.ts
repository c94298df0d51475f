import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { STRIPE_KEY, STRIPE_PRICE, StripeStandIn } from "@/lib/testing/stripe-stand-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { openBillingPortal, startCheckout } from "./billing";
import { getWorkspace } from "./workspaces";

const provider = await new StripeStandIn().listen();
const state = useTestState({
  ...provider.settings(),
  LIMIT_ACCOUNT_MINUTE: "100000",
  PARQUETRY_BASE_URL: "https://data.example.net",
});

let owner = { cookie: "", email: "" };
let path = { workspace_id: "" };

beforeEach(async () => {
  const { workspaceId, userId, email } = await newWorkspace();
  path = { workspace_id: workspaceId };
  owner = { cookie: await sessionCookie(userId), email };
  provider.asked.length = 0;
});
afterEach(() => {
  provider.before = () => undefined;
});

const as = () => ({ cookie: owner.cookie });
const buy = () => call(startCheckout, path, as());
const manage = () => call(openBillingPortal, path, as());
const asked = (route: string) => provider.asked.filter((one) => one.path === route);
const back = () => `https://data.example.net/settings/workspace?workspace=${path.workspace_id}`;

async function workspace() {
  const { prisma } = await database();
  return await prisma.workspace.findUniqueOrThrow({ where: { id: path.workspace_id } });
}

const customer = async () => (await workspace()).stripeCustomerId ?? "";

async function shown(): Promise<string> {
  return (await call(getWorkspace, path, as())).body.workspace.billing;
}

describe("a checkout", () => {
  test("is a page at Stripe for this workspace's subscription, and leads back to its settings", async () => {
    expect(await shown()).toBe("checkout");
    const reply = await buy();
    expect([reply.status, reply.body]).toEqual([
      200,
      { schema_version: "service-billing-link.v1", url: expect.stringMatching(/^https:\/\/checkout\.example\//) },
    ]);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(asked("POST /v1/customers")[0]?.params).toEqual({
      email: owner.email,
      "metadata[workspace_id]": path.workspace_id,
    });
    expect(asked("POST /v1/checkout/sessions")).toEqual([
      {
        path: "POST /v1/checkout/sessions",
        idempotencyKey: expect.stringMatching(/^parquetry-checkout-/),
        params: {
          mode: "subscription",
          customer: await customer(),
          client_reference_id: path.workspace_id,
          "line_items[0][price]": STRIPE_PRICE,
          "line_items[0][quantity]": "1",
          "metadata[workspace_id]": path.workspace_id,
          "metadata[price]": STRIPE_PRICE,
          "subscription_data[metadata][workspace_id]": path.workspace_id,
          success_url: back(),
          cancel_url: back(),
        },
      },
    ]);
    expect((await workspace()).plan).toBe("free");
  });

  test("requested again is the same page; once used or expired, a new one for the same customer", async () => {
    const first = await buy();
    expect((await buy()).body.url).toBe(first.body.url);
    Object.assign(provider.sessions[0] ?? {}, { status: "expired", url: null });
    const second = await buy();
    expect(second.body.url).not.toBe(first.body.url);
    Object.assign(provider.sessions[0] ?? {}, { status: "complete", url: null });
    expect((await buy()).body.url).not.toBe(second.body.url);
    expect(asked("POST /v1/customers")).toHaveLength(1);
  });

  test("requested ten times at once is one page and one customer", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, buy));
    expect(new Set(replies.map(({ body }) => body.url)).size).toBe(1);
    expect(provider.sessions.filter((session) => session.client_reference_id === path.workspace_id)).toHaveLength(1);
    expect([...provider.customers.values()].filter(({ email }) => email === owner.email)).toHaveLength(1);
  });

  test("that is open for another price is closed for the new one", async () => {
    await buy();
    const [former] = provider.sessions;
    Object.assign(former ?? {}, { metadata: { workspace_id: path.workspace_id, price: "price_of_last_year" } });
    const reply = await buy();
    expect(former).toMatchObject({ status: "expired" });
    expect(reply.body.url).toBe(provider.sessions[0]?.url);
  });

  test.each(["active", "trialing", "past_due", "unpaid", "paused"])(
    "is rejected while there is a subscription that is %s, though no event has come yet",
    async (status) => {
      await buy();
      provider.subscribe(await customer(), path.workspace_id, status);
      const reply = await buy();
      expect([reply.status, reply.body.error]).toEqual([409, "conflict"]);
      expect(reply.body.message).toMatch(/billing portal/);
    },
  );

  test.each(["canceled", "incomplete", "incomplete_expired"])(
    "is possible after a subscription that is %s",
    async (status) => {
      await buy();
      provider.subscribe(await customer(), path.workspace_id, status);
      expect((await buy()).status).toBe(200);
    },
  );

  test("creates a new customer if the old one was deleted at Stripe", async () => {
    await buy();
    const former = await customer();
    provider.customers.set(former, { id: former, object: "customer", deleted: true });
    expect((await buy()).status).toBe(200);
    const next = await customer();
    expect(next).not.toBe(former);
    provider.customers.delete(next);
    expect((await buy()).status).toBe(200);
    expect(await customer()).not.toBe(next);
  });
});

describe("the billing portal", () => {
  test("is a page at Stripe for the workspace's customer, and leads back to its settings", async () => {
    await buy();
    const reply = await manage();
    expect([reply.status, reply.body.url]).toEqual([200, `https://billing.example/p/${await customer()}`]);
    expect(asked("POST /v1/billing_portal/sessions")[0]?.params).toEqual({
      customer: await customer(),
      return_url: back(),
    });
  });

  test("is rejected if nothing was ever bought, or the customer was deleted at Stripe", async () => {
    expect([(await manage()).status, (await manage()).body.error]).toEqual([409, "conflict"]);
    expect(provider.asked).toEqual([]);
    await buy();
    provider.customers.delete(await customer());
    expect((await manage()).body.error).toBe("conflict");
  });
});

describe("billing shown to the workspace", () => {
  test.each([
    ["free", null, null, "checkout"],
    ["paid", "active", "sub_1", "portal"],
    ["free", "past_due", "sub_2", "portal"],
    ["free", "canceled", "sub_3", "checkout"],
    ["paid", "active", null, "operator"],
  ] as const)(
    "plan %s, subscription %s of Stripe's %s: %s",
    async (plan, subscription, stripeSubscriptionId, expected) => {
      const { prisma } = await database();
      await prisma.workspace.update({
        where: { id: path.workspace_id },
        data: { plan, subscription, stripeSubscriptionId },
      });
      expect(await shown()).toBe(expected);
    },
  );
});

describe("who is rejected, and when it is unavailable", () => {
  test("a member: 403; a stranger and nobody's workspace: 404; nobody: 401; a foreign page: 403", async () => {
    const other = await newWorkspace();
    const headers = { cookie: await sessionCookie(other.userId) };
    const { prisma } = await database();
    for (const operation of [startCheckout, openBillingPortal]) {
      await prisma.membership.deleteMany({ where: { userId: other.userId, workspaceId: path.workspace_id } });
      expect((await call(operation, path, headers)).body.error).toBe("not_found");
      await prisma.membership.create({
        data: { userId: other.userId, workspaceId: path.workspace_id, role: "member" },
      });
      expect((await call(operation, path, headers)).body.error).toBe("insufficient_scope");
      expect((await call(operation, path, {})).body.error).toBe("key_missing");
      expect((await call(operation, path, { "x-api-key": "svc_use_x" })).body.error).toBe("key_wrong_type");
      expect((await call(operation, path, { ...as(), origin: "https://elsewhere.example" })).body.error).toBe(
        "forbidden_origin",
      );
    }
    expect(provider.asked).toEqual([]);
  });

  test.each([
    ["Stripe is down", 500, { type: "api_error" }, 503, "unavailable"],
    ["Stripe is busy", 429, { type: "rate_limit_error" }, 503, "unavailable"],
    ["the key is wrong", 401, { type: "authentication_error" }, 500, "internal"],
    ["the price is unknown", 400, { type: "invalid_request_error", code: "parameter_invalid_empty" }, 500, "internal"],
  ])("%s: %i there is %s here, without revealing the key", async (_what, status, error, expected, code) => {
    provider.before = () => ({ status, body: { error: { ...error, message: `Invalid: ${STRIPE_KEY}` } } });
    const reply = await buy();
    expect([reply.status, reply.body.error]).toEqual([expected, code]);
    expect(reply.text).not.toContain(STRIPE_KEY);
  });

  test("without Stripe's settings: 404, and the plan is the administrator's", async () => {
    const { DATABASE_URL = "", PARQUETRY_DATA_DIR } = state.settings();
    const before = processWide("settings", () => readSettings({}));
    forgetProcessWide("settings");
    processWide("settings", () =>
      readSettings({
        DATABASE_URL,
        PARQUETRY_DATA_DIR,
        PARQUETRY_BASE_URL: "https://data.example.net",
        PARQUETRY_SECRET: before.PARQUETRY_SECRET,
      }),
    );
    try {
      for (const reply of [await buy(), await manage()])
        expect([reply.status, reply.body.error]).toEqual([404, "not_found"]);
      expect(await shown()).toBe("operator");
    } finally {
      forgetProcessWide("settings");
      processWide("settings", () => before);
    }
  });

  test.each(["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"])(
    "a service with Stripe's key but without %s does not start",
    (name) => {
      expect(() => readSettings({ ...provider.settings(), [name]: "" })).toThrow(
        new RegExp(`${name}: required with STRIPE_SECRET_KEY`),
      );
    },
  );
});
