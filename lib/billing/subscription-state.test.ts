import { expect, test } from "vitest";
import { subscriptionStateOf } from "./subscription-state";

const subscription = (status: string, created = 1, workspace_id = "ours") => ({
  id: `sub_${status}_${created}`,
  status,
  created,
  metadata: { workspace_id },
});

test.each([
  ["active", "paid", "active"],
  ["trialing", "paid", "active"],
  ["past_due", "paid", "past_due"],
  ["unpaid", "free", "past_due"],
  ["paused", "free", "past_due"],
  ["canceled", "free", "canceled"],
])("a subscription that is %s means plan %s, subscription %s", (status, plan, meaning) => {
  expect(subscriptionStateOf("ours", [subscription(status)])).toEqual({
    plan,
    subscription: meaning,
    stripeSubscriptionId: `sub_${status}_1`,
  });
});

test.each(["incomplete", "incomplete_expired", "a_status_of_the_future"])(
  "a subscription that is %s is ignored",
  (status) => {
    expect(subscriptionStateOf("ours", [subscription(status)])).toBeUndefined();
    expect(subscriptionStateOf("ours", [subscription(status, 2), subscription("active", 1)])).toMatchObject({
      plan: "paid",
    });
  },
);

test("the best subscription decides, whatever the order; among equals the newest", () => {
  const all = [
    subscription("canceled", 9),
    subscription("past_due", 8),
    subscription("active", 2),
    subscription("active", 5),
    subscription("unpaid", 7),
  ];
  for (const order of [all, all.toReversed()])
    expect(subscriptionStateOf("ours", order)?.stripeSubscriptionId).toBe("sub_active_5");
});

test("a subscription for another workspace, or for none, is ignored", () => {
  expect(
    subscriptionStateOf("ours", [subscription("active", 1, "theirs"), { ...subscription("active"), metadata: {} }]),
  ).toBeUndefined();
});
