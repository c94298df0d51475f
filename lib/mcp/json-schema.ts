import { z } from "zod";

type Json = { [key: string]: unknown };

/** Left out because it is long and the values themselves show it: a model needs names and types. */
const LEFT_OUT = new Set(["description", "format", "minimum", "maximum", "exclusiveMinimum"]);
/** Omitted to save tokens: the error lists the values. */
const INTERNAL = new Set([
  "$schema",
  "$defs",
  "id",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "propertyNames",
]);
/** What zod adds to any integer. */
const ANY_INTEGER = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** The list of tools has levels of a result's members as long as its schema has no more characters than this. */
const RESULT_CHARS_MAX = 900;
/** More than any result has. */
const LEVELS_MAX = 9;

/**
 * A zod schema as JSON Schema without references, because not every client follows them. Large results are described
 * only as deep as is affordable: what fits the schema itself fits this, too.
 */
export function toolSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Json;
  const definitions = (whole.$defs ?? {}) as Record<string, Json>;
  const cleaned = clean(whole, definitions, io === "output") as Json;
  return io === "output" ? affordable(cleaned) : cleaned;
}

function affordable(schema: Json): Json {
  for (let levels = LEVELS_MAX; levels > 1; levels--) {
    const shown = toLevel(schema, levels) as Json;
    if (JSON.stringify(shown).length <= RESULT_CHARS_MAX) return shown;
  }
  return toLevel(schema, 1) as Json;
}

/** The schema with so many levels of objects; those below have no members. */
function toLevel(node: unknown, levels: number): unknown {
  if (Array.isArray(node)) return node.map((item) => toLevel(item, levels));
  if (typeof node !== "object" || node === null) return node;
  const { properties, items, ...rest } = node as Json;
  if (properties !== undefined && levels === 0) return { type: "object" };
  const isShown = items !== undefined && !(levels === 0 && isObject(items));
  return {
    ...mapped(rest, (value) => toLevel(value, levels)),
    ...(properties !== undefined && { properties: mapped(properties as Json, (value) => toLevel(value, levels - 1)) }),
    ...(isShown && { items: toLevel(items, levels) }),
  };
}

const isObject = (schema: unknown): boolean => (schema as Json).properties !== undefined;

const mapped = (members: Json, to: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, to(value)]));

function clean(node: unknown, definitions: Readonly<Record<string, Json>>, terse: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => clean(item, definitions, terse));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...own } = node as Json;
  if (typeof $ref === "string")
    return clean({ ...definitions[$ref.replace("#/$defs/", "")], ...own }, definitions, terse);
  const isSaid = (key: string, value: unknown) =>
    !INTERNAL.has(key) && !ANY_INTEGER.has(value) && !(key === "additionalProperties" && isAny(value));
  const retained = Object.entries(own).filter(
    ([key, value]) => isSaid(key, value) && !(terse && isLeftOut(key, value)),
  );
  const cleaned = Object.fromEntries(
    retained.map(([key, value]) => [
      key,
      key === "properties" ? named(value as Json, definitions, terse) : clean(value, definitions, terse),
    ]),
  );
  return terse ? withoutType(withPlainNull(cleaned)) : cleaned;
}

/** A constant has its type. */
const withoutType = ({ type, ...schema }: Json): Json =>
  "const" in schema ? schema : { ...(type !== undefined && { type }), ...schema };

/** Removes `required` from results: their values show it, too. */
const isLeftOut = (key: string, value: unknown): boolean =>
  LEFT_OUT.has(key) ||
  key === "required" ||
  (key === "additionalProperties" && value === false) ||
  (key === "enum" && Array.isArray(value) && value.length > 4);

const isAny = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Names of properties are never treated as keywords. */
const named = (properties: Json, definitions: Readonly<Record<string, Json>>, terse: boolean): Json =>
  mapped(properties, (value) => clean(value, definitions, terse));

/** `{anyOf: [{type: T}, {type: "null"}]}` as `{type: [T, "null"]}`. */
function withPlainNull(schema: Json): Json {
  const { anyOf, ...rest } = schema as { anyOf?: Json[] };
  const types = anyOf?.map((part) => (Object.keys(part).length === 1 ? part.type : undefined));
  return types?.every((type) => typeof type === "string") ? { type: types, ...rest } : schema;
}
