import { expect, test } from "vitest";
import type { Actor } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { builderOf, builderText } from "./builder";

const grant = { userId: "u", workspaceId: "w", connectionId: "c", clientId: "x" };
const by = (actor: object) => ({ actor: actor as Actor }) as Context;

test.each([
  ["agent", "an agent's connection"],
  ["device", "a signed-in computer"],
])("what an %s does is attributed to %s, and either needs the approval of a person", (kind, words) => {
  const ctx = by({ kind, grant });
  expect([builderText(ctx), builderOf(ctx).kind]).toEqual([words, "agent"]);
});
