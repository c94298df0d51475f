import type { z } from "zod";
import { type JsonSchema, jsonSchemaOf, resolve } from "./schema-fields";

const DEPTH_MAX = 8;
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01",
  "date-time": "2026-01-31T12:00:00.000Z",
  date: "2026-01-31",
  uri: "https://example.org",
  email: "ada@example.org",
};

/** An example of what a schema describes, for operations whose replies contain data about people. */
export function schemaExample(schema: z.ZodType): unknown {
  const root = jsonSchemaOf(schema);
  return exampleOf(root, root.$defs ?? {}, "", 0);
}

function exampleOf(given: JsonSchema, defs: Record<string, JsonSchema>, key: string, depth: number): unknown {
  const schema = resolve(given, defs);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, defs, key, depth);
  if (schema.items) return depth > DEPTH_MAX ? [] : [exampleOf(schema.items, defs, key, depth + 1)];
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, value]) => [
      name,
      exampleOf(value, defs, name, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }
  return scalar(schema, key);
}

function scalar({ type, format, minimum }: JsonSchema, key: string): unknown {
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "integer" || kind === "number") return Math.max(minimum ?? 1, 1);
  if (kind === "boolean") return true;
  if (kind === "object") return {};
  if (kind === "null" || kind === undefined) return null;
  return FORMATS[format ?? ""] ?? (FORMATS[key] || "…");
}
