import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { type ComparedVersion, compareRows, type RowComparison } from "@/lib/engine/run/compare";
import { Failure } from "@/lib/kernel/errors";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import { processWide } from "@/lib/kernel/process-wide";
import { compareColumns } from "@/lib/operations/reading/compare-columns";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { SharedAnswers } from "@/lib/operations/reading/shared-answers";
import { resultOf } from "@/lib/operations/runs/present-run";
import { runTableVersion } from "@/lib/operations/runs/run-table-version";
import type { TableDifference } from "@/lib/schemas/table-difference";
import { findTableVersion, type TableVersion } from "@/lib/store/datasets/tables";
import { type RunTable, runTables } from "@/lib/store/runs/run-tables";
import type { StoredRun } from "@/lib/store/runs/runs";

const CACHED_MAX = 100;
/** A comparison that timed out is not repeated for the next caller. */
const TIMEOUT_CACHED_MS = 5 * 60_000;

export interface Chosen {
  /** Slugs; all that the run made if absent. */
  tables?: readonly string[] | undefined;
  versionId?: string | undefined;
}

/**
 * How each table that a run made differs from the current release; nothing for tables that are already current, or for
 * runs that made nothing. Rows of a sample are compared only if it holds all rows of its sources.
 */
export async function releaseDifferences(
  run: StoredRun,
  ctx: Context,
  chosen: Chosen = {},
): Promise<TableDifference[]> {
  if (run.state !== "awaiting_approval" && run.state !== "sealed") return [];
  const wanted = ({ slug, id, kind }: RunTable) =>
    kind !== "rejects" && (chosen.tables?.includes(slug) ?? true) && (chosen.versionId ?? id) === id;
  const differences: TableDifference[] = [];
  for (const table of (await runTables(run.id, ctx.now())).filter(wanted)) {
    const { workspaceId } = run;
    const current =
      table.tableId === null ? undefined : await findTableVersion(table.tableId, { reader: { workspaceId } });
    if (current?.versionId === table.id) continue;
    differences.push(await differenceOf(run, table, current, ctx));
  }
  return differences;
}

async function differenceOf(
  run: StoredRun,
  table: RunTable,
  current: TableVersion | undefined,
  ctx: Context,
): Promise<TableDifference> {
  const base = { table: table.slug, current_version_id: current?.versionId ?? null };
  if (!current) {
    const words = `${table.slug}: the first release, ${formatCount(table.rows)} rows`;
    return { ...base, columns: { added: [], removed: [], retyped: [] }, rows: null, words };
  }
  const noProfile = { before: () => "", after: () => "" };
  const { added, removed, retyped } = compareColumns(current.columns, table.columns, noProfile);
  const columns = { added: added.map(nameOf), removed: removed.map(nameOf), retyped };
  const rows =
    table.kind === "sample" && !isWhole(run) ? "a sample does not hold all rows" : await rowsOf(current, table, ctx);
  const rowSummary = typeof rows === "string" ? `rows not compared: ${rows}` : rowText(rows);
  const words = [`${table.slug}: ${rowSummary}`, ...columnText(columns)].join("; ");
  return { ...base, columns, rows: typeof rows === "string" ? null : rows, words };
}

const nameOf = ({ name }: { name: string }): string => name;

/** Whether a sample read every row of every source. */
const isWhole = (run: StoredRun): boolean => resultOf(run)?.sampled.every(({ rows, of }) => rows === of) ?? false;

type Rows = NonNullable<TableDifference["rows"]>;

/** The numbers, or why there are none. */
async function rowsOf(current: TableVersion, table: RunTable, ctx: Context): Promise<Rows | string> {
  const before: ComparedVersion = { ...sealedVersion(current), primaryKey: current.primaryKey };
  const after: ComparedVersion = { ...runTableVersion(table), primaryKey: table.primaryKey };
  try {
    const found = await compareOnce(before, after, ctx);
    return found ? presentRows(found, current.rows, table.rows) : "there are no columns in common";
  } catch (error) {
    if (error instanceof Failure && error.code === "query_timeout") return "the tables are too large to compare";
    if (error instanceof Failure && error.code === "busy") return "the service is busy, so try again";
    throw error;
  }
}

/** Neither side ever changes, so each pair is compared once. */
function compareOnce(
  before: ComparedVersion,
  after: ComparedVersion,
  ctx: Context,
): Promise<RowComparison | undefined> {
  const comparisons = processWide(
    "release-differences",
    () => new SharedAnswers<RowComparison | undefined>(CACHED_MAX, TIMEOUT_CACHED_MS),
  );
  const work = async (signal: AbortSignal) =>
    compareRows(await ctx.engine(), before, after, 0, { subject: querySubject(ctx), signal });
  return comparisons.get(`${before.versionId} ${after.versionId}`, work, ctx.signal);
}

const presentRows = (
  { key, added, removed, changed, unchanged }: RowComparison,
  before: number,
  after: number,
): Rows => ({
  compared_by: key.length > 0 ? "primary_key" : "whole_rows",
  ...{ before, after, added, removed, changed, unchanged },
});

function rowText({ before, after, added, removed, changed }: Rows): string {
  const parts = [
    `${formatPlural(added, "row")} added`,
    `${formatCount(removed)} removed`,
    ...(changed === null ? [] : [`${formatCount(changed)} changed`]),
  ];
  return `${parts.join(", ")}; ${formatCount(after)} rows instead of ${formatCount(before)}`;
}

function columnText({ added, removed, retyped }: TableDifference["columns"]): string[] {
  const named = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label} ${names.join(", ")}`];
  return [
    ...named("columns added:", added),
    ...named("columns removed:", removed),
    ...named(
      "columns with a different type:",
      retyped.map(({ name, from, to }) => `${name} (${from} to ${to})`),
    ),
  ];
}
