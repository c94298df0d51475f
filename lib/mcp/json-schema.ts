import { z } from "zod";

type Json = { [key: string]: unknown };

/** Said by the values themselves, and long: what a model needs is names and types. */
const LEFT_OUT = new Set(["description", "format", "minimum", "maximum", "maxItems", "exclusiveMinimum"]);
const INTERNAL = new Set(["$schema", "$defs", "id", "pattern"]);

/** A zod schema as JSON Schema without references, since not every client follows them. */
export function toolSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Json;
  const definitions = (whole.$defs ?? {}) as Record<string, Json>;
  return clean(whole, definitions, io === "output") as Json;
}

function clean(node: unknown, definitions: Readonly<Record<string, Json>>, terse: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => clean(item, definitions, terse));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...own } = node as Json;
  if (typeof $ref === "string")
    return clean({ ...definitions[$ref.replace("#/$defs/", "")], ...own }, definitions, terse);
  const kept = Object.entries(own).filter(([key, value]) => !INTERNAL.has(key) && !(terse && isLeftOut(key, value)));
  const cleaned = Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === "properties" ? named(value as Json, definitions, terse) : clean(value, definitions, terse),
    ]),
  );
  return terse ? withPlainNull(cleaned) : cleaned;
}

const isLeftOut = (key: string, value: unknown): boolean =>
  LEFT_OUT.has(key) ||
  (key === "additionalProperties" && value === false) ||
  (key === "enum" && Array.isArray(value) && value.length > 4);

/** Names of properties are no keywords, whatever they are called. */
const named = (properties: Json, definitions: Readonly<Record<string, Json>>, terse: boolean): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, clean(value, definitions, terse)]));

/** `{anyOf: [{type: T}, {type: "null"}]}` as `{type: [T, "null"]}`. */
function withPlainNull(schema: Json): Json {
  const { anyOf, ...rest } = schema as { anyOf?: Json[] };
  const types = anyOf?.map((part) => (Object.keys(part).length === 1 ? part.type : undefined));
  return types?.every((type) => typeof type === "string") ? { type: types, ...rest } : schema;
}
