import { expect } from "@playwright/test";
import { STRIPE_KEY, STRIPE_SIGNING, StripeStandIn, signedEvent } from "@/lib/testing/stripe-stand-in";
import { BrowserPerson } from "./browser-person";
import { LimitedService, roomySignIns } from "./limited-service";
import { test } from "./test";
import { used } from "./used-secrets";

const stripe = new StripeStandIn();
let service: LimitedService;

test.beforeAll(async () => {
  used(STRIPE_KEY, "Stripe's key");
  used(STRIPE_SIGNING, "Stripe's signing secret");
  await stripe.listen();
  service = new LimitedService("billing", { ...stripe.settings(), ...roomySignIns() });
  await service.start();
});

test.afterAll(() => service.stop());

test(
  "an owner buys the paid plan at Stripe, which the page shows once Stripe has told, and then manages " + "it there",
  async ({ browser }) => {
    const { base } = service;
    const owner = await BrowserPerson.signedIn(browser, "buyer", { base });
    const { page } = owner;
    await owner.context.route(/^https:\/\/(?:checkout|billing)\.example\//, (route) =>
      route.fulfill({ body: "A page of Stripe's" }),
    );
    const workspaceId = await owner.makeWorkspace("Builders");
    const here = page.url();
    const plan = page.getByRole("region", { name: "Plan" });
    await expect(plan.getByRole("listitem").filter({ hasText: "your plan" })).toContainText("Free");
    await plan.getByRole("button", { name: "Upgrade to Paid" }).click();
    await page.waitForURL(/^https:\/\/checkout\.example\//);
    const customer = String(stripe.sessions[0]?.customer);
    const subscription = stripe.subscribe(customer, workspaceId, "active");
    const { body, signature } = signedEvent({
      id: `evt_${Date.now()}`,
      object: "event",
      type: "customer.subscription.created",
      created: Math.floor(Date.now() / 1000),
      data: {
        object: {
          id: subscription,
          object: "subscription",
          customer,
          status: "active",
          metadata: { workspace_id: workspaceId },
        },
      },
    });
    const told = await fetch(`${base}/api/stripe/webhook`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "stripe-signature": signature },
    });
    expect(told.status).toBe(200);
    await page.goto(here);
    await expect(plan.getByRole("listitem").filter({ hasText: "your plan" })).toContainText("Paid");
    await expect(plan).toContainText("The subscription is active.");
    await expect(page.getByRole("region", { name: "Workspace log" })).toContainText(
      "Billing changed the plan from free to paid (subscription active)",
    );
    await plan.getByRole("button", { name: "Manage billing" }).click();
    await page.waitForURL(/^https:\/\/billing\.example\//);
  },
);

test("a member sees the plan, and that owners change it", async ({ browser }) => {
  const { base } = service;
  const owner = await BrowserPerson.signedIn(browser, "payer", { base });
  const member = await BrowserPerson.signedIn(browser, "member", { base });
  await member.page.goto(await owner.invite(await owner.makeWorkspace("Together")));
  await member.page.getByRole("button", { name: "Accept" }).click();
  const plan = member.page.getByRole("region", { name: "Plan" });
  await expect(plan).toContainText("Only owners can change the plan.");
  await expect(plan.getByRole("button")).toHaveCount(0);
});
