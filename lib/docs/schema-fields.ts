import { z } from "zod";
import type { Field } from "./doc";

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  $defs?: Record<string, JsonSchema>;
}

const ENUM_SHOWN = 12;
/** Integers without bounds get the safe ones. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** The JSON Schema of what callers send or receive. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;

/** The fields of a schema, with nested fields under their path: `tables[].columns[].name`. */
export function schemaFields(schema: z.ZodType): Field[] {
  const root = jsonSchemaOf(schema);
  return fieldsOf(root, root.$defs ?? {}, "");
}

function fieldsOf(schema: JsonSchema, defs: Record<string, JsonSchema>, path: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const field = resolve(value, defs);
    const inner = innerObject(field, defs);
    const name = `${path}${key}`;
    const own: Field = {
      name,
      type: typeText(field, defs),
      isRequired: schema.required?.includes(key) ?? false,
      text: wordsOf(value, field),
    };
    if (!inner) return [own];
    const fields = fieldsOf(inner.schema, defs, `${name}${inner.suffix}.`);
    return [own, ...(inner.isOneOf ? fields.map((each) => ({ ...each, isRequired: false })) : fields)];
  });
}

/** The target of a reference. */
export function resolve(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  const { $ref: _, ...own } = schema;
  return name === undefined ? schema : { ...resolve(defs[name] ?? {}, defs), ...own };
}

/** An object that a value is, or contains. `isOneOf`: the value may have another form, without its fields. */
interface InnerObject {
  schema: JsonSchema;
  suffix: string;
  isOneOf: boolean;
}

function innerObject(schema: JsonSchema, defs: Record<string, JsonSchema>): InnerObject | undefined {
  if (schema.properties) return { schema, suffix: "", isOneOf: false };
  if (schema.items) {
    const inner = innerObject(resolve(schema.items, defs), defs);
    return inner && { ...inner, suffix: `[]${inner.suffix}` };
  }
  for (const option of schema.anyOf ?? []) {
    const inner = innerObject(resolve(option, defs), defs);
    const forms = schema.anyOf?.filter(({ type }) => type !== "null").length ?? 0;
    if (inner) return { ...inner, isOneOf: inner.isOneOf || forms > 1 };
  }
  return undefined;
}

function typeText(schema: JsonSchema, defs: Record<string, JsonSchema>): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((option) => typeText(resolve(option, defs), defs)))].join(" or ");
  if (schema.enum)
    return schema.enum.length > ENUM_SHOWN ? "string" : schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items) return `array of ${typeText(resolve(schema.items, defs), defs)}`;
  if (schema.format === "uuid") return "UUID";
  if (schema.format === "date-time") return "timestamp";
  if (schema.format === "uri") return "URL";
  return Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any value");
}

/** The description, and the schema's other constraints. */
function wordsOf(
  given: JsonSchema,
  { default: fallback, minimum, maximum, maxLength, enum: allowed }: JsonSchema,
): string {
  const isBounded = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < UNBOUNDED;
  const bounds = isBounded(maximum)
    ? `${minimum ?? ""} to ${maximum}.`
    : isBounded(minimum) && minimum !== 0
      ? `At least ${minimum}.`
      : "";
  const longList = allowed && allowed.length > ENUM_SHOWN ? `One of ${allowed.length} values.` : "";
  const parts = [
    sentence(given.description),
    bounds,
    maxLength === undefined ? "" : `At most ${maxLength} characters.`,
    longList,
    fallback === undefined ? "" : `Default: \`${JSON.stringify(fallback)}\`.`,
  ];
  return parts.filter(Boolean).join(" ");
}

const sentence = (words: string | undefined) =>
  words === undefined ? "" : /[.!?…]$/.test(words) ? words : `${words}.`;
