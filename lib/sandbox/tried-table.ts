import type { BuildBench, BuildPlan } from "@/lib/builds/plan";
import { runBuild } from "@/lib/builds/run-build";
import { quoteIdentifier } from "@/lib/engine/sql/identifier";
import { Failure } from "@/lib/kernel/errors";
import type { ColumnFound } from "@/lib/readers/proposals/column-found";
import { type SuggestedTable, suggestedTable } from "@/lib/readers/proposals/suggested-table";
import type { DecodedSource } from "./events";
import { TRIED } from "./tried-reader";

export interface TriedTable {
  columns: ColumnFound[];
  table: SuggestedTable;
  warnings: string[];
}

const NO_COLUMNS = "No record has a member, so there are no columns and nothing to build.";
const TOO_LARGE =
  "A recipe names the columns of its tables. Turn many columns into rows (unpivot takes them by a pattern), or " +
  "publish the file itself.";
/** Columns that may turn out not to fit, before all are left as they are read. */
const TRIES_MAX = 20;

/**
 * Builds the suggested table from all rows that were read, as a run would. A column whose values do not fit is proposed
 * as text, with the reason, so that what is proposed does not fail in its own run.
 */
export async function tryTable(
  bench: BuildBench,
  plan: BuildPlan,
  { decoded, columns: found, format }: { decoded: DecodedSource; columns: readonly ColumnFound[]; format: string },
): Promise<TriedTable> {
  let columns = [...found];
  const warnings: string[] = [];
  if (columns.length === 0) return { columns, table: suggestedTable([]), warnings: [NO_COLUMNS] };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const table = suggestedTable(columns);
    const failure = await failureOf(bench, plan, decoded, { table, format });
    if (!failure) return { columns, table, warnings };
    const { column, message } = failure;
    const failed = columns.filter(({ name, isText, type }) => isText && type !== "string" && isOf(name, column, table));
    if (failed.length === 0) {
      warnings.push(`The steps that would give these columns types fail: ${message} All are left as they are read.`);
      break;
    }
    warnings.push(`${message} It is proposed as text.`);
    columns = columns.map((each) => (failed.includes(each) ? asText(each, message) : each));
  }
  columns = columns.map((each) => (each.isText ? asText(each, "no step") : withoutMembers(each)));
  return { columns, table: { steps: [], columns: columns.map(({ name, type }) => ({ name, type })) }, warnings };
}

/** Whether a failing column of the result comes from this one: the values of a wide table have a name of their own. */
const isOf = (name: string, failing: string | undefined, { steps }: SuggestedTable): boolean =>
  name === failing ||
  steps.some(({ step, columns, values_to }) => step === "unpivot" && values_to === failing && isAmong(columns, name));

const isAmong = (columns: unknown, name: string): boolean => Array.isArray(columns) && columns.includes(name);

function asText(column: ColumnFound, why: string): ColumnFound {
  const { name, distinct, examples, nulls, tokens } = column;
  const tokenCells = tokens.reduce((sum, { cells }) => sum + cells, 0);
  return {
    ...{ name, type: "string", why, isText: true },
    tokens: [],
    nulls: nulls - tokenCells,
    distinct,
    examples,
    warnings: [],
  };
}

const withoutMembers = ({ members: _, ...column }: ColumnFound): ColumnFound => column;

async function failureOf(
  bench: BuildBench,
  plan: BuildPlan,
  decoded: DecodedSource,
  { table, format }: { table: SuggestedTable; format: string },
): Promise<{ column: string | undefined; message: string } | undefined> {
  try {
    const trial = { ...plan, mode: "sample" as const, lock: null, recipe: recipeOf(table, format) };
    const { failure } = await runBuild(bench, trial, [decoded]);
    return failure ? { column: failure.at.column, message: failure.message } : undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // a document that is too large for a recipe
    return { column: undefined, message: `${error.message} ${TOO_LARGE}` };
  } finally {
    await dropTables(bench);
  }
}

/** A recipe of nothing but the suggested table. Its source has already been read. */
function recipeOf({ steps, columns }: SuggestedTable, format: string): string {
  const source = { name: TRIED, kind: "upload", upload: "tried", reader: { format } };
  return JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: [source],
    tables: [{ name: "tried", from: TRIED, steps, columns }],
    publish: { license: "other", publisher: { name: "nobody" } },
  });
}

async function dropTables(bench: BuildBench): Promise<void> {
  const tables = await bench.rows("SELECT table_name FROM duckdb_tables() WHERE NOT temporary");
  for (const [name] of tables) await bench.run(`DROP TABLE ${quoteIdentifier(name ?? "")}`);
}
