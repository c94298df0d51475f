import { expect, test } from "vitest";
import { ACCESS, type Access, CREDENTIALS, REACHES } from "@/lib/access/access-table";
import { accessGroups, whoOf } from "./access-groups";

test.each(Object.keys(ACCESS) as Access[])(
  "the docs show every cell of the access table's row %s, and nothing else",
  (access) => {
    const groups = accessGroups(access);
    const named = groups.flatMap(({ callers }) => callers);
    for (const [actor, words] of Object.entries(CREDENTIALS)) {
      const cell = ACCESS[access].cells[actor as keyof typeof CREDENTIALS];
      const group =
        groups.find(({ callers }) => callers.includes(words)) ??
        groups.find(({ callers }) => callers[0]?.startsWith("every"));
      expect([actor, group?.reach ?? group?.rejection?.code]).toEqual([
        actor,
        cell in REACHES ? REACHES[cell as keyof typeof REACHES] : cell,
      ]);
    }
    expect(new Set(named).size).toBe(named.length);
  },
);

test("accepted callers are listed before rejected ones, and the rest last", () => {
  expect(accessGroups("open").map(({ callers }) => callers[0])).toEqual([CREDENTIALS.use_key, "everyone else"]);
  expect(accessGroups("use_key").map(({ reach, rejection }) => reach ?? rejection?.code)).toEqual([
    REACHES["public and own"],
    "key_missing",
    "key_wrong_type",
  ]);
  expect(accessGroups("visitor")).toEqual([{ callers: ["everybody"], reach: REACHES["any visitor"] }]);
});

test(
  "a use key that a tool of the connector rejects is rejected in the tool's result, other keys before " + "any tool",
  () => {
    const groups = accessGroups("connector_change").map(({ callers, rejection }) => [
      callers,
      rejection?.code,
      rejection?.inResult,
    ]);
    expect(groups).toContainEqual([[CREDENTIALS.use_key], "key_wrong_type", true]);
    expect(groups).toContainEqual([[CREDENTIALS.live_key], "key_wrong_type", undefined]);
  },
);

test.each([
  ["open", "anybody"],
  ["open_query", "anybody"],
  ["use_key", "a use key"],
  ["visitor", "anybody"],
  ["owner", "a signed-in person"],
] as const)("a route of the row %s takes %s", (access, who) => expect(whoOf(access)).toBe(who));
