import { expect, test } from "vitest";
import { standingOf } from "./standing";

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
  expect(standingOf("ours", [subscription(status)])).toEqual({
    plan,
    subscription: meaning,
    stripeSubscriptionId: `sub_${status}_1`,
  });
});

test.each(["incomplete", "incomplete_expired", "a_status_of_the_future"])(
  "a subscription that is %s is ignored",
  (status) => {
    expect(standingOf("ours", [subscription(status)])).toBeUndefined();
    expect(standingOf("ours", [subscription(status, 2), subscription("active", 1)])).toMatchObject({ plan: "paid" });
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
    expect(standingOf("ours", order)?.stripeSubscriptionId).toBe("sub_active_5");
});

test("a subscription for another workspace, or for none, is ignored", () => {
  expect(
    standingOf("ours", [subscription("active", 1, "theirs"), { ...subscription("active"), metadata: {} }]),
  ).toBeUndefined();
});
