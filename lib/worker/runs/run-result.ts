import { join } from "node:path";
import { slugOf } from "@/lib/builds/document/read-recipe";
import type { BuildFailure, BuildOutcome, BuiltFile, CheckResult } from "@/lib/builds/plan";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { withWorkbench } from "@/lib/publish/workbench";
import { LEFT_OUT_CAUSES, LOSSES } from "@/lib/readers/left-out";
import type { StagedSource } from "@/lib/readers/staged-source";
import type { StoredColumn } from "@/lib/schemas/column";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RunCheck, RunResult } from "@/lib/schemas/run";
import { hashFile } from "@/lib/storage/blobs";
import { storable } from "@/lib/store/postgres/stored-json";
import { cleanText, RunFailure } from "./run-failure";
import type { BuildOutput } from "./run-material";

/** A Parquet file that a sandbox produced, measured here. */
export interface BuiltTable {
  slug: string;
  name: string;
  path: string;
  digest: string;
  bytes: number;
  file: BuiltFile;
  columns: StoredColumn[];
}

const PREVIEW_ROWS = 10;
const PREVIEW_ROWS_MIN = 3;
const PREVIEW_CHARS = 600;
const EXAMPLES_MAX = 3;
const STEP_ROWS_MAX = 50;

/** What was built. Throws the `RunFailure` of a build that failed because of its data. */
export function builtOf(output: BuildOutput): BuildOutcome {
  const build = buildOf(output);
  if (build.failure) throw failureOf(build.failure);
  return build;
}

/** What was built, even if the build failed because of its data. */
function buildOf({ outcome: { build } }: BuildOutput): BuildOutcome {
  if (!build) throw new RunFailure("sandbox_crashed", "The sandbox returned no build.");
  return build;
}

/** The tables of a build, each hashed again because the sandbox is not trusted. */
export async function builtTables(output: BuildOutput): Promise<BuiltTable[]> {
  const build = buildOf(output);
  const byName = new Map(output.material.document.recipe.tables.map((table) => [table.name, table]));
  const tables: BuiltTable[] = [];
  for (const file of build.files) {
    const table = byName.get(file.table);
    if (!table || table.internal || !file.path) continue;
    const path = join(output.folder, file.path);
    const blob = await hashFile(path);
    const columns = file.columns.map((column) => ({ ...column }));
    tables.push({ slug: slugOf(table), name: table.name, path, ...blob, file, columns });
  }
  return tables;
}

/** The summary that a run records after a stage. */
export async function resultFor(
  output: BuildOutput,
  tables: readonly BuiltTable[],
  digest: string | null,
): Promise<RunResult> {
  const build = buildOf(output);
  return storable({
    recipe_digest: digest,
    tables: tables.map(({ slug, file, columns, digest: content }) => ({
      ...{ table: slug, rows: file.rows, columns: columns.length, content_digest: `sha256:${content}` },
    })),
    rejects: build.rejectCounts.map(({ table, column, cells }) => {
      const own = build.rejects.filter((reject) => reject.table === table && reject.column === column);
      return { table, column, cells, examples: own.slice(0, EXAMPLES_MAX).map(({ value }) => cleanText(value)) };
    }),
    checks: shownChecks(build.checks),
    step_rows: build.stepRows.slice(0, STEP_ROWS_MAX),
    inferred: build.lock?.inferred ?? [],
    sampled: build.sampled.map((sampled) => ({ ...sampled, ...remarksOf(output, sampled.source) })),
    ...(build.leftOut.length > 0 && {
      left_out: build.leftOut.map((each) => shownLeftOut(each, sourceOf(output, each.source)?.parts ?? [])),
    }),
    preview: await previewOf(tables),
  });
}

const sourceOf = ({ outcome }: BuildOutput, name: string) => outcome.sources.find((source) => source.name === name);

function remarksOf(output: BuildOutput, source: string): { remarks?: string[] } {
  const remarks = sourceOf(output, source)?.remarks?.map(cleanText);
  return remarks ? { remarks } : {};
}

/** The first rows of each table, cells as text: three per table, and as many more as fit in a short reply. */
async function previewOf(tables: readonly BuiltTable[]): Promise<RunResult["preview"]> {
  const previews = await withWorkbench(async (bench) => {
    const rows: [string, RunResult["preview"][string]][] = [];
    for (const { slug, path, columns } of tables) {
      const cells = columns.map(({ name }) => `left(${quoteIdentifier(name)}::VARCHAR, 200)`).join(", ");
      const sql = `SELECT ${cells} FROM read_parquet(${quoteLiteral(path)}) LIMIT ${PREVIEW_ROWS}`;
      rows.push([slug, { columns: columns.map(({ name }) => name), rows: shortRows(await bench.rows(sql)) }]);
    }
    return rows;
  });
  return Object.fromEntries(previews);
}

function shortRows(rows: readonly unknown[][]): unknown[][] {
  let chars = 0;
  return rows.filter((row, at) => {
    chars += JSON.stringify(row).length;
    return at < PREVIEW_ROWS_MIN || chars <= PREVIEW_CHARS;
  });
}

/** The run failure for a build that failed because of its data. */
function failureOf({ code, message, at }: BuildFailure): RunFailure {
  const location = { table: at.table, ...(at.column !== undefined && { column: at.column }) };
  return new RunFailure(code, message, { ...location, ...(at.pointer !== undefined && { pointer: at.pointer }) });
}

const LEFT_OUT_EXAMPLES_MAX = 5;

type LeftOutOfSource = BuildOutcome["leftOut"][number];
type LeftOutShown = NonNullable<RunResult["left_out"]>[number];

/** What was left out for one reason, with its first examples. */
export const shownLeftOut = (
  { source, cause, rows, cells, examples }: LeftOutOfSource,
  parts: StagedSource["parts"],
): LeftOutShown => ({
  ...{ source, cause, rows, cells, words: LEFT_OUT_CAUSES[cause], loss: LOSSES.includes(cause) },
  examples: examples.slice(0, LEFT_OUT_EXAMPLES_MAX).map(({ part, row, column, value }) => ({
    ...{ partition: parts[part]?.partition ?? null, row, column, value: cleanText(value) },
  })),
});

/** Room for a primary key of 8 columns and the 16 that a check examined. */
const CELLS_MAX = 24;
const CELL_CHARS = 100;
/** For all examples of a run together. */
const CHARS_MAX = 8_000;

type Cells = NonNullable<RunCheck["examples"]>[number];

/** Without examples, as releases keep it, because readers of a dataset see its checks. */
export const checkOf = ({
  table,
  check,
  title,
  severity,
  outcome,
  failures,
  examined,
  message,
}: CheckResult): RunCheck => ({
  ...{ check, table, title, severity, outcome, failures, examined },
  message: cleanText(message),
});

/**
 * Checks as members of the workspace see them. Failed checks show their first failures: every check gets one before any
 * gets a second, checks that end a run come first, and there are as many as fit in a short reply.
 */
export function shownChecks(checks: readonly CheckResult[]): RunCheck[] {
  const failed = checks
    .filter(({ outcome }) => outcome === "failed")
    .sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  const shown = new Map<CheckResult, Cells[]>();
  let left = CHARS_MAX;
  for (let nth = 0; nth < EXAMPLES_MAX; nth += 1)
    for (const check of failed) {
      const found = check.examples[nth];
      if (!found) continue;
      const cells = shortCells(found.cells);
      const chars = JSON.stringify(cells).length;
      if (chars > left) continue;
      left -= chars;
      shown.set(check, [...(shown.get(check) ?? []), cells]);
    }
  return checks.map((check) => {
    const examples = shown.get(check);
    return { ...checkOf(check), ...(examples && { examples }) };
  });
}

const shortCells = (cells: Cells): Cells =>
  Object.fromEntries(
    Object.entries(cells)
      .slice(0, CELLS_MAX)
      .map(([name, value]) => [cleanText(name), value === null ? null : shortText(cleanText(value))]),
  );

const shortText = (text: string): string =>
  text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS).toWellFormed()}…` : text;

/** From this many rejected cells on, a tenfold rise since the last release is reported. */
const REJECTS_REPORTED_MIN = 10;
const NAMED_MAX = 10;

type Built = Pick<BuildOutcome, "drift" | "lineage" | "rejectCounts">;

/**
 * The warnings that every full run gets, whatever its recipe says: new columns in its sources that no table uses, and
 * rejects that rose tenfold since the last release. Tables are named as in the recipe.
 */
export const standardChecks = (recipe: Recipe, built: Built, last: RunResult | undefined): RunCheck[] => [
  ...newColumns(recipe, built),
  ...(last ? risenRejects(recipe, built, last) : []),
];

function newColumns({ tables }: Recipe, { drift, lineage }: Built): RunCheck[] {
  const taken = new Set(
    lineage.flatMap(({ columns }) =>
      Object.values(columns).flatMap(({ from }) => from.map(({ source, column }) => columnKey(source, column))),
    ),
  );
  const left = drift.filter(
    ({ change, source, column }) => change === "added" && !taken.has(columnKey(source, column)),
  );
  return [...new Set(left.map(({ source }) => source))].flatMap((source) => {
    const names = left.filter((each) => each.source === source).map(({ column }) => JSON.stringify(column));
    const table = tables.find(({ from }) => from === source)?.name;
    if (table === undefined) return [];
    const shown = names.slice(0, NAMED_MAX).join(", ");
    const noun = names.length === 1 ? "column" : "columns";
    const message = `${source} has ${names.length} new ${noun} that no table uses: ${shown}.`;
    return [warningCheck("new_columns", table, { failures: names.length, examined: names.length }, message)];
  });
}

const columnKey = (source: string, column: string): string => JSON.stringify([source, column]);

function risenRejects({ tables }: Recipe, { rejectCounts }: Built, last: RunResult): RunCheck[] {
  const count = (list: readonly { table: string; cells: number }[], table: string) =>
    list.reduce((sum, each) => (each.table === table ? sum + each.cells : sum), 0);
  return tables.flatMap(({ name }) => {
    const [before, now] = [count(last.rejects, name), count(rejectCounts, name)];
    if (now < REJECTS_REPORTED_MIN || now < 10 * before) return [];
    const message = `${now} cells were rejected, compared with ${before} in the last release.`;
    return [warningCheck("rejects_rose", name, { failures: now, examined: now }, message)];
  });
}

const warningCheck = (
  check: string,
  table: string,
  counts: Pick<RunCheck, "failures" | "examined">,
  message: string,
): RunCheck => ({
  ...{ check, table, title: null, severity: "warn", outcome: "failed", ...counts, message: cleanText(message) },
});
