import { expect, test } from "vitest";
import { z } from "zod";
import { toolSchema } from "./json-schema";

const members = (count: number, of: z.ZodType) =>
  z.object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`member_${at}`, of])));

test("a result is described as deep as is affordable, and no member has another type than in its whole schema", () => {
  const leaf = z.object({ name: z.string(), at: z.iso.datetime().nullable() });
  const small = z.object({ runs: z.array(leaf), last: leaf.nullable() });
  const named = { type: "object", properties: { name: { type: "string" }, at: { type: ["string", "null"] } } };
  expect(toolSchema(small, "output")).toEqual({
    type: "object",
    properties: { runs: { type: "array", items: named }, last: { anyOf: [named, { type: "null" }] } },
  });
  const large = z.object({ run: members(3, z.array(members(20, leaf))), by_name: z.record(z.string(), leaf) });
  const rows = { type: "array" };
  expect(toolSchema(large, "output")).toEqual({
    type: "object",
    properties: {
      run: { type: "object", properties: { member_0: rows, member_1: rows, member_2: rows } },
      by_name: { type: "object", additionalProperties: named },
    },
  });
  expect(toolSchema(z.object({ all: members(99, leaf), list: z.array(members(99, leaf)) }), "output")).toEqual({
    type: "object",
    properties: { all: { type: "object" }, list: rows },
  });
});

test("arguments are described whole, without what their names and errors say", () => {
  const deep = z.strictObject({ all: members(99, z.string().max(5)), options: z.record(z.string(), z.unknown()) });
  const { properties } = toolSchema(deep, "input") as { properties: Record<string, { properties: object }> };
  expect(Object.keys(properties.all?.properties ?? {})).toHaveLength(99);
  expect(properties.all?.properties).toMatchObject({ member_98: { type: "string" } });
  expect(properties.options).toEqual({ type: "object" });
});
