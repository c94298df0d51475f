import { z } from "zod";
import { CHECK_EXAMPLES } from "@/lib/builds/checks/examples";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { stepExample } from "@/lib/builds/examples/step-examples";
import { withExample } from "@/lib/builds/examples/with-example";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { type Fault, fail, failWith } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import {
  RECIPE_BYTES_MAX,
  type Recipe,
  type RecipeCheck,
  type RecipeStep,
  type RecipeTable,
  recipePublishSchema,
  recipeSchema,
  recipeTableSchema,
  refreshSchema,
  STEPS_MAX,
} from "@/lib/schemas/recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { canonicalJson, inKeyOrder } from "./canonical";
import { oneOf, readShape, readSound } from "./shape";
import { readSource } from "./source-shape";
import { readTree } from "./tree";

/** A document as far as it could be read. Parts with faults are undefined. */
export interface Draft {
  sources: (RecipeSource | undefined)[];
  /** The names of all sources, including those with faults. */
  sourceNames: string[];
  tables: (DraftTable | undefined)[];
  faults: Fault[];
  /** The complete recipe, if there was no fault. */
  recipe: Recipe | undefined;
  /** The document's tree, its numbers with their digits. */
  tree: unknown;
  canonical: string;
  documentDigest: string;
}

export type DraftTable = Omit<RecipeTable, "steps" | "checks"> & {
  steps: (RecipeStep | undefined)[];
  checks: (RecipeCheck | undefined)[];
};

/** A complete recipe. `canonical` is the text that is stored and that digests are computed from. */
export interface ReadRecipe {
  recipe: Recipe;
  tree: unknown;
  canonical: string;
  documentDigest: string;
}

/** Reads JSON or YAML. Throws one failure with every fault of the document's shape. */
export function readRecipe(text: string): ReadRecipe {
  const { recipe, faults, tree, canonical, documentDigest } = draftRecipe(readTree(text));
  if (!recipe || faults.length > 0) throw failWith(faults);
  return { recipe, tree, canonical, documentDigest };
}

/** Like `readRecipe`, for a tree of `readTree` or a request body. Returns the faults along with the valid parts. */
export function draftRecipe(input: unknown): Draft {
  const canonical = canonicalJson(input);
  if (Buffer.byteLength(canonical) > RECIPE_BYTES_MAX)
    throw fail("request_too_large", {
      message: `Recipe too large: ${Buffer.byteLength(canonical)} bytes. Send at most 48 KiB without white space.`,
    });
  // equal documents have one meaning: what depends on the order of keys depends on their canonical order
  const tree = inKeyOrder(input);
  const top = readSound(outerSchema, tree, "");
  const faults: Fault[] = [...top.faults];
  const raw = isObject(tree) ? tree : {};
  const sources = listOf(raw.sources).map((source, at) => taken(readSource(source, `/sources/${at}`), faults));
  const tables = listOf(raw.tables).map((table, at) => readTable(table, `/tables/${at}`, faults));
  const refresh =
    raw.refresh === undefined ? undefined : taken(readShape(refreshSchema, raw.refresh, "/refresh"), faults);
  const publish = taken(readShape(recipePublishSchema, raw.publish, "/publish"), faults);
  faults.push(...countFaults(tables), ...nameFaults(sources, tables));
  const recipe =
    faults.length === 0 && publish
      ? ({ schema_version: "service-recipe.v1", sources, tables, ...(refresh && { refresh }), publish } as Recipe)
      : undefined;
  const sourceNames = listOf(raw.sources).flatMap((source) =>
    isObject(source) && typeof source.name === "string" ? [source.name] : [],
  );
  return { sources, sourceNames, tables, faults, recipe, tree, canonical, documentDigest: sha256Hex(canonical) };
}

const items = (most: number) => z.array(z.unknown()).max(most);

/** Only the outer shape: its contents are read one by one, so that one fault does not hide another. */
const outerSchema = recipeSchema.extend({
  sources: items(20).min(1),
  tables: items(20).min(1),
  refresh: z.unknown().optional(),
  publish: z.unknown().optional(),
});
const tableSchema = recipeTableSchema.extend({ steps: items(100).default([]), checks: items(50).default([]) });

function readTable(raw: unknown, pointer: string, faults: Fault[]): DraftTable | undefined {
  const table = taken(readSound(tableSchema, raw, pointer), faults);
  if (!table) return undefined;
  const hasColumns = isObject(raw) && raw.columns !== undefined;
  return {
    ...table,
    ...(hasColumns && table.columns === undefined && { columns: [] }),
    steps: table.steps.map((step, at) =>
      readKind<RecipeStep>(STEP_KINDS, "step", step, `${pointer}/steps/${at}`, faults),
    ),
    checks: table.checks.map((check, at) =>
      readKind<RecipeCheck>(CHECK_KINDS, "check", check, `${pointer}/checks/${at}`, faults),
    ),
  };
}

/** A step or check by its row. */
function readKind<T>(
  kinds: Readonly<Record<string, { schema: z.ZodType }>>,
  key: "step" | "check",
  raw: unknown,
  pointer: string,
  faults: Fault[],
): T | undefined {
  if (!isObject(raw)) {
    faults.push({ pointer, code: "invalid_request", message: `Expected an object with ${key}.` });
    return undefined;
  }
  const kind = typeof raw[key] === "string" && Object.hasOwn(kinds, raw[key]) ? kinds[raw[key]] : undefined;
  if (kind) {
    const { value, faults: found } = readShape(kind.schema, raw, pointer);
    const example = key === "step" ? stepExample(String(raw[key])) : CHECK_EXAMPLES[String(raw[key])]?.check;
    faults.push(...withExample(found, pointer, example ? [example] : []));
    return value as T | undefined;
  }
  faults.push(oneOf(`${pointer}/${key}`, raw[key], Object.keys(kinds)));
  return undefined;
}

function countFaults(tables: readonly (DraftTable | undefined)[]): Fault[] {
  const steps = tables.reduce((sum, table) => sum + (table?.steps.length ?? 0), 0);
  return steps > STEPS_MAX
    ? [{ pointer: "/tables", code: "too_many_values", message: `Too many steps: ${steps} (maximum ${STEPS_MAX}).` }]
    : [];
}

/** Sources and tables share one namespace, since a table can be built from either. */
function nameFaults(sources: Draft["sources"], tables: Draft["tables"]): Fault[] {
  const seen = new Map<string, string>();
  const slugs = new Set<string>();
  const named = [
    ...sources.map((source, at) => ({ name: source?.name, pointer: `/sources/${at}/name` })),
    ...tables.map((table, at) => ({ name: table?.name, pointer: `/tables/${at}/name` })),
  ];
  const twice = named.flatMap(({ name, pointer }): Fault[] => {
    if (name === undefined) return [];
    const first = seen.get(name);
    seen.set(name, first ?? pointer);
    return first === undefined
      ? []
      : [
          {
            pointer,
            code: "invalid_value",
            message: `Duplicate name ${JSON.stringify(name)}: ${first} has it too. Use a different name.`,
          },
        ];
  });
  const slugFaults = tables.flatMap((table, at): Fault[] => {
    const slug = table && !table.internal ? slugOf(table) : undefined;
    if (slug === undefined) return [];
    const isTaken = slugs.has(slug);
    slugs.add(slug);
    return isTaken
      ? [
          {
            pointer: `/tables/${at}/slug`,
            code: "invalid_value",
            message: `Duplicate slug ${JSON.stringify(slug)}. Use another one.`,
          },
        ]
      : [];
  });
  return [...twice, ...slugFaults];
}

/** The slug of a table: its own, or its name with hyphens. */
export const slugOf = (table: { name: string; slug?: string | undefined }): string =>
  table.slug ?? table.name.replaceAll("_", "-");

function taken<T>(shaped: { value: T | undefined; faults: readonly Fault[] }, faults: Fault[]): T | undefined {
  faults.push(...shaped.faults);
  return shaped.value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
