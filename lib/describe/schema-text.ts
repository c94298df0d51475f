import { z } from "zod";
import { oneLine } from "@/lib/builds/examples/one-line";

interface Schema {
  /** Names that say more than the schema's structure. */
  title?: string;
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  default?: unknown;
  $defs?: Record<string, Schema>;
}

const ENUM_SHOWN = 12;
/** Many steps take a set of columns, so it is described only once. */
const SET = "set";

/** The members of an object as a document may have them, in short form: `columns: [string], on_error?: fail | null`. */
export function memberText(schema: z.ZodType, without: readonly string[] = []): string {
  const root = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    // Zod leaves out the defaults of what is transformed, such as numbers that come with their digits.
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === "default") jsonSchema.default ??= def.defaultValue as NonNullable<typeof jsonSchema.default>;
    },
  }) as Schema;
  return members(root, root.$defs ?? {}, without);
}

/** Keys that all of the given objects have. */
export const sharedKeys = ([first, ...others]: readonly z.ZodObject[]): string[] =>
  Object.keys(first?.shape ?? {}).filter((key) => others.every(({ shape }) => Object.hasOwn(shape, key)));

function members({ properties = {}, required = [] }: Schema, defs: Defs, without: readonly string[]): string {
  return Object.entries(properties)
    .filter(([key]) => !without.includes(key))
    .map(([key, value]) => `${key}${required.includes(key) ? "" : "?"}: ${words(value, defs)}`)
    .join(", ");
}

type Defs = Record<string, Schema>;

function words(schema: Schema, defs: Defs): string {
  const target = defs[schema.$ref?.replace("#/$defs/", "") ?? ""];
  if (target) return words(target, defs);
  const { default: usual } = schema;
  const isList = Array.isArray(usual) && usual.length > 0;
  const isShown = usual !== undefined && (isList || typeof usual !== "object" || usual === null);
  return isShown ? `${bare(schema, defs)} = ${oneLine(usual)}` : bare(schema, defs);
}

function bare(schema: Schema, defs: Defs): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum) return schema.enum.length > ENUM_SHOWN ? "string" : schema.enum.map(oneLine).join(" | ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options?.some(({ properties }) => properties?.except)) return `[string] | ${SET}`;
  if (options) return [...new Set(options.map((option) => words(option, defs)))].join(" | ");
  if (schema.items) return `[${words(schema.items, defs)}]`;
  if (schema.properties) return `{${members(schema, defs, [])}}`;
  if (typeof schema.additionalProperties === "object") return `{name: ${words(schema.additionalProperties, defs)}}`;
  return schema.type ?? "any";
}
