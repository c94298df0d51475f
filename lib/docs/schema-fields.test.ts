import { expect, test } from "vitest";
import { z } from "zod";
import { schemaExample } from "./schema-example";
import { schemaFields } from "./schema-fields";

const inner = z.strictObject({ id: z.uuid(), size: z.int().min(0).optional() }).meta({ id: "Inner" });
const schema = z.strictObject({
  kind: z.enum(["a", "b"]).default("b").describe("Which"),
  limit: z.int().min(1).max(100),
  list: z.array(inner),
  maybe: inner.nullable(),
});

test("fields have path, type, bounds and default, including those of lists and nullable fields", () => {
  expect(schemaFields(schema).map(({ name, type, isRequired, text }) => [name, type, isRequired, text])).toEqual([
    ["kind", '"a" | "b"', false, 'Which. Default: `"b"`.'],
    ["limit", "integer", true, "1 to 100."],
    ["list", "array of object", true, ""],
    ["list[].id", "UUID", true, ""],
    ["list[].size", "integer", false, ""],
    ["maybe", "object or null", true, ""],
    ["maybe.id", "UUID", true, ""],
    ["maybe.size", "integer", false, ""],
  ]);
});

test("fields of one of several forms are not required", () => {
  const form = z.union([z.strictObject({ pairs: z.string() }), z.record(z.string(), z.string())]);
  expect(schemaFields(z.strictObject({ values: form })).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["values", true],
    ["values.pairs", false],
  ]);
});

test("an example fits its schema", () => {
  expect(schema.safeParse(schemaExample(schema)).error).toBeUndefined();
});
