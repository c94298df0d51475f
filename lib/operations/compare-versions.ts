import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { presentColumns } from "@/lib/describe/present-columns";
import type { Caller } from "@/lib/engine/duckdb/engine";
import { FILE_TIMES } from "@/lib/engine/duckdb/write-parquet";
import { versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { compareRows, type RowComparison } from "@/lib/engine/run/compare";
import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { Failure, fail } from "@/lib/kernel/errors";
import { formatPlural } from "@/lib/kernel/format";
import { processWide } from "@/lib/kernel/process-wide";
import { compareColumns, compareProfiles } from "@/lib/operations/reading/compare-columns";
import { locateNamed, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { SharedAnswers } from "@/lib/operations/reading/shared-answers";
import { compareVersionsTool } from "@/lib/operations/views/version-tools";
import { type Comparison, comparisonSchema } from "@/lib/schemas/comparison";
import { profilesJson, type TableVersion } from "@/lib/store/datasets/tables";
import { presentVersion } from "./get-schema";
import { operation } from "./operation";

const EXAMPLES_DEFAULT = 10;
const EXAMPLES_MAX = 20;
const CACHED_MAX = 100;
/** A comparison that timed out is not repeated for the next caller. */
const TIMEOUT_CACHED_MS = 5 * 60_000;
/** Number of examples of each kind. */
const EXAMPLES_CHARACTERS_MAX = 256 * 1024;

const querySchema = z.strictObject({
  from: versionNameSchema.describe("The version to compare with, usually the older: UUID, label or number."),
  to: versionNameSchema.describe("The other version: UUID, label or number."),
  examples: z.coerce
    .number()
    .int()
    .min(0)
    .max(EXAMPLES_MAX)
    .default(EXAMPLES_DEFAULT)
    .describe("Example rows per kind of change, 0 to 20."),
});

/** GET how two immutable versions of one table differ, in either order. */
export const compareVersions = operation({
  name: "compare_versions",
  summary: "Compare two versions of a table",
  description:
    "The differences between two immutable versions: columns added, removed, retyped, redescribed or reordered; " +
    "rows added, removed and changed, matched by primary key with examples, or counted as whole rows if there is " +
    "no key; and both profiles of every column. Example cells are truncated at 1,000 characters, and fewer " +
    "examples are returned if rows are very wide. Counts as one query.",
  access: "open",
  quota: "query",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/versions/compare" },
  input: { path: tablePathSchema, query: querySchema },
  output: comparisonSchema,
  errors: [
    "invalid_value",
    "version_withdrawn",
    "result_too_large",
    "integrity_failure",
    "busy",
    "query_timeout",
    "storage_timeout",
  ],
  replyHeaders: {
    ETag: "Strong ETag of the comparison.",
    RateLimit: "The remaining quota for the current minute.",
    "RateLimit-Policy": "The quota policy.",
  },
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx)),
  async run({ query, located: current }, ctx): Promise<Comparison> {
    const from = await locateNamed(current, query.from, "?from");
    const to = await locateNamed(current, query.to, "?to");
    const [profilesFrom, profilesTo, rows] = await Promise.all([
      profilesJson(from.versionId),
      profilesJson(to.versionId),
      rowsOnce(from, to, query.examples, ctx),
    ]);
    const [before, after] = [presentColumns(from.columns, profilesFrom), presentColumns(to.columns, profilesTo)];
    const profileOf = (columns: typeof before) => (name: string) =>
      stringifyExactJson(columns.find((column) => column.name === name)?.profile);
    return {
      schema_version: "service-public-version-comparison.v1",
      table: { id: current.tableId, name: current.tableName, slug: current.tableSlug },
      from: presentSide(from),
      to: presentSide(to),
      columns: compareColumns(from.columns, to.columns, { before: profileOf(before), after: profileOf(after) }),
      primary_key: { from: from.primaryKey, to: to.primaryKey },
      rows: rows ? presentRows(rows) : null,
      profiles: compareProfiles(before, after),
    };
  },
  mcp: compareVersionsTool,
});

/** A version with the names that people use. */
export const presentSide = (version: TableVersion): Comparison["from"] => ({
  ...presentVersion(version),
  number: version.sequence,
  label: version.label,
});

/** Versions never change: a comparison is computed once, with the maximum number of examples. */
async function rowsOnce(
  from: TableVersion,
  to: TableVersion,
  examples: number,
  ctx: Context,
): Promise<RowComparison | undefined> {
  const comparisons = processWide(
    "comparisons",
    () => new SharedAnswers<RowComparison | undefined>(CACHED_MAX, TIMEOUT_CACHED_MS),
  );
  const compare = (signal: AbortSignal) => compareAll(from, to, { subject: querySubject(ctx), signal }, ctx);
  const rows = await comparisons.get(`${from.versionId} ${to.versionId}`, compare, ctx.signal);
  return rows && { ...rows, examples: mapExamples(rows.examples, (list) => list.slice(0, examples)) };
}

async function compareAll(
  from: TableVersion,
  to: TableVersion,
  caller: Caller,
  ctx: Context,
): Promise<RowComparison | undefined> {
  const sealed = (version: TableVersion) => ({ ...sealedVersion(version), primaryKey: version.primaryKey });
  const engine = await ctx.engine();
  try {
    const rows = await compareRows(engine, sealed(from), sealed(to), EXAMPLES_MAX, caller);
    return rows && { ...rows, examples: withinBounds(rows.examples) };
  } catch (error) {
    throw error instanceof Failure && error.code === "query_timeout" ? tooLong(engine.options.timeoutMs, error) : error;
  }
}

/** A comparison takes no filters. The alternative is the file, which may take longer. */
function tooLong(timeoutMs: number, cause: Failure): Failure {
  const [most, ofFile] = [timeoutMs, timeoutMs * FILE_TIMES].map((ms) => formatPlural(ms / 1000, "second"));
  const message =
    `Comparing these versions takes more than ${most}. Save every row that differs as a file instead, which may take ` +
    `${ofFile}.`;
  return fail("query_timeout", { message, cause });
}

type Examples = RowComparison["examples"];

const mapExamples = ({ added, removed, changed }: Examples, map: <T>(list: T[]) => T[]): Examples => ({
  added: map(added),
  removed: map(removed),
  changed: map(changed),
});

/** As many rows of each kind as fit, since a hundred answers are cached. */
function withinBounds({ added, removed, changed }: Examples): Examples {
  return {
    added: fitting(added, (text) => text.length),
    removed: fitting(removed, (text) => text.length),
    changed: fitting(changed, ({ before, after }) => before.length + after.length),
  };
}

function fitting<T>(rows: readonly T[], sizeOf: (row: T) => number): T[] {
  let room = EXAMPLES_CHARACTERS_MAX;
  return rows.filter((row) => {
    room -= sizeOf(row);
    return room >= 0;
  });
}

function presentRows({ changedColumns, examples, ...rows }: RowComparison): NonNullable<Comparison["rows"]> {
  const row = (text: string) => parseExactJson(text) as Record<string, unknown>;
  const some = (text: string, names: readonly string[]) => {
    const whole = row(text);
    return Object.fromEntries(names.map((name) => [name, whole[name]]));
  };
  return {
    compared_by: rows.key.length > 0 ? "primary_key" : "whole_rows",
    ...rows,
    changed_columns: changedColumns,
    examples: {
      added: examples.added.map(row),
      removed: examples.removed.map(row),
      changed: examples.changed.map(({ before, after, columns }) => ({
        key: some(after, rows.key),
        before: some(before, columns),
        after: some(after, columns),
      })),
    },
  };
}
