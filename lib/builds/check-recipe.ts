import { RE2JS } from "re2js";
import { type Fault, failWith } from "@/lib/kernel/errors";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { checkChecks } from "./checks/check-checks";
import { type Draft, draftRecipe, slugOf } from "./document/read-recipe";
import { effectFaults } from "./document/source-shape";
import { readTree } from "./document/tree";
import { monthNames } from "./formats/month-names";
import type { SourceColumn } from "./lock";
import { partColumns } from "./part-columns";
import { patternFault } from "./patterns";
import { type Relation, sourceRelation } from "./relation";
import { type Gathered, planTable } from "./table-plan";

/** Columns of sources that were inspected or whose table is known. Other sources are absent. */
export type KnownSources = ReadonlyMap<string, readonly SourceColumn[]>;

export interface CheckedColumn {
  name: string;
  /** Null if the sample decides. */
  type: string | null;
  /** Its derivation from columns of sources, for comparison; empty if unknown. */
  derivedFrom: string;
}

export interface CheckedTable {
  name: string;
  /** Null for an internal table. */
  slug: string | null;
  /** The columns known so far. */
  columns: CheckedColumn[];
  /** Whether there may be more columns because a source was never inspected. */
  isOpen: boolean;
}

export interface CheckedRecipe {
  recipe: Recipe;
  canonical: string;
  documentDigest: string;
  tables: CheckedTable[];
  checked: "full" | "partial";
  unchecked: { pointer: string; why: string }[];
  warnings: { pointer: string; message: string }[];
  /** Every pattern, for DuckDB to compile before the recipe is stored. */
  patterns: { pointer: string; pattern: string }[];
}

/** Reads and checks a complete recipe before any source is read. Throws one failure with every fault. */
export function checkRecipe(text: string, known: KnownSources): CheckedRecipe {
  return checkTree(readTree(text), known);
}

/** Like `checkRecipe`, for a tree whose numbers are LosslessNumber. */
export function checkTree(tree: unknown, known: KnownSources): CheckedRecipe {
  const draft = draftRecipe(tree);
  const found = checkDraft(draft, known);
  const useless = draft.sources.flatMap((source, at) => (source ? effectFaults(source, `/sources/${at}`) : []));
  const faults = [...draft.faults, ...useless, ...found.faults];
  if (!draft.recipe || faults.length > 0) throw failWith(inOrder(faults));
  const { tables, unchecked, warnings, patterns } = found;
  return {
    recipe: draft.recipe,
    canonical: draft.canonical,
    documentDigest: draft.documentDigest,
    tables,
    checked: unchecked.length === 0 ? "full" : "partial",
    unchecked,
    warnings,
    patterns,
  };
}

/** Faults ordered by their place, without duplicates. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  const once = faults.filter(({ pointer, message }) => {
    const key = `${pointer}\n${message}`;
    return !seen.has(key) && seen.add(key);
  });
  return once.sort((a, b) => comparePointers(a.pointer, b.pointer));
}

const comparePointers = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

function checkDraft(draft: Draft, known: KnownSources): Gathered & Pick<CheckedRecipe, "tables" | "unchecked"> {
  const gathered: Gathered = {
    faults: [],
    warnings: [],
    patterns: [],
    sets: new Map(),
    monthsOf: monthNames,
  };
  const relations = new Map<string, Relation | undefined>();
  const unchecked: CheckedRecipe["unchecked"] = [];
  for (const name of draft.sourceNames) relations.set(name, undefined);
  for (const [at, source] of draft.sources.entries()) {
    if (!source) continue;
    const relation = relationOf(source, known.get(source.name));
    relations.set(source.name, relation);
    if (relation.isOpen)
      unchecked.push({
        pointer: `/sources/${at}`,
        why: `The columns of ${source.name} are not known ${whyUnknown(source)}.`,
      });
    else if (relation.columns.some(({ type }) => type === undefined))
      unchecked.push({
        pointer: `/sources/${at}`,
        why: `The types of the columns of ${source.name} are not known before a sample. Their names are checked.`,
      });
    gathered.faults.push(...readerPatternFaults(source, `/sources/${at}`));
    warnLicence(gathered, draft, source, at);
  }
  const tables = draft.tables.flatMap((table, at): CheckedTable[] => {
    if (!table) return [];
    const { relation } = planTable(table, at, relations, gathered, null);
    checkChecks(table, at, relation, relations, gathered);
    relations.set(table.name, relation);
    return [
      {
        name: table.name,
        slug: table.internal ? null : slugOf(table),
        columns: relation.columns.map(({ name, type, isUntyped, from, kind }) => ({
          name,
          type: isUntyped ? null : (type?.name ?? null),
          derivedFrom: from.length === 0 ? "" : JSON.stringify([kind, from]),
        })),
        isOpen: relation.isOpen,
      },
    ];
  });
  return { ...gathered, tables, unchecked };
}

function whyUnknown(source: RecipeSource): string {
  if (source.kind === "table") return "here: the workspace can read no such table";
  const { format } = source.reader;
  return TEXT_FORMATS.includes(format)
    ? "here: it was not inspected with this reader in the last seven days"
    : `before a sample: those of ${format} depend on all of its records`;
}

const TEXT_FORMATS: readonly string[] = ["csv", "tsv", "xlsx"];

/** Text formats whose columns are named by the recipe need not be read: their cells are text. */
function relationOf(source: RecipeSource, known: readonly SourceColumn[] | undefined): Relation {
  const isText = source.kind !== "table" && TEXT_FORMATS.includes(source.reader.format);
  const parts = partColumns(source).map(({ name }) => ({ name, type: "string", storage: "VARCHAR" }));
  if (known) return sourceRelation(source.name, [...parts, ...known], isText);
  const fields = namedFields(source);
  if (fields) {
    const { columns } = sourceRelation(source.name, parts, false);
    return { columns: [...columns, ...fields.map((name) => unreadColumn(source.name, name))], isOpen: false };
  }
  const names =
    source.kind === "table"
      ? undefined
      : "columns" in source.reader.options && isText
        ? source.reader.options.columns
        : undefined;
  if (!names) return { columns: [], isOpen: true };
  const columns = names.flatMap((name) => (name === null ? [] : [{ name, type: "string", storage: "VARCHAR" }]));
  return sourceRelation(source.name, [...parts, ...columns], true);
}

/** The columns that a reader of JSON names itself. */
function namedFields(source: RecipeSource): string[] | undefined {
  if (source.kind === "table" || !("fields" in source.reader.options)) return undefined;
  const { options } = source.reader;
  const shape = "shape" in options ? options.shape : "array";
  if (!options.fields || shape === "columns") return undefined;
  const key = shape === "map" && "key_column" in options ? (options.key_column ?? []) : [];
  return [key, Object.keys(options.fields)].flat();
}

const unreadColumn = (source: string, name: string): Relation["columns"][number] => ({
  ...{ name, type: undefined, storage: "" },
  ...{ from: [{ source, column: name }], steps: [], kind: "copied" },
});

function warnLicence(gathered: Gathered, draft: Draft, source: RecipeSource, at: number): void {
  const stated = draft.recipe?.publish.license;
  if (stated !== undefined && source.license !== undefined && source.license !== stated)
    gathered.warnings.push({
      pointer: `/sources/${at}/license`,
      message: `The licence of ${source.name} is ${source.license}, and the dataset says ${stated}.`,
    });
}

/** Faults in the patterns of a source's reader, compiled by the engine that runs them. */
function readerPatternFaults(source: RecipeSource, pointer: string): Fault[] {
  if (source.kind === "table") return [];
  const { options } = source.reader;
  const found: [at: string, pattern: string][] = [];
  if ("header" in options && options.header !== "none" && options.header.drop_text !== undefined)
    found.push(["header/drop_text", options.header.drop_text]);
  if ("stop_at" in options && options.stop_at && "matches" in options.stop_at)
    found.push(["stop_at/matches", options.stop_at.matches]);
  if ("sheet" in options && typeof options.sheet === "object") found.push(["sheet/matches", options.sheet.matches]);
  return found.flatMap(([at, pattern]) => {
    const message = patternFault(pattern) ?? compileFault(pattern);
    return message === undefined
      ? []
      : [{ pointer: `${pointer}/reader/options/${at}`, code: "invalid_value" as const, message }];
  });
}

function compileFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `Invalid pattern: ${(error as Error).message.slice(0, 200)}`;
  }
}
