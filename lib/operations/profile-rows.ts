import { LosslessNumber } from "lossless-json";
import type { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { presentColumns } from "@/lib/describe/present-columns";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { type ColumnCounts, profileRows } from "@/lib/engine/run/profile-rows";
import { parseQuery } from "@/lib/engine/run/query";
import type { CountedColumn } from "@/lib/engine/sql/row-profile-sql";
import { parseExactJson } from "@/lib/formats/exact-json";
import { failWith } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { locateLookups } from "@/lib/operations/reading/locate-lookups";
import { locateChosen, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { sealedVersions } from "@/lib/operations/reading/read-version";
import { recordUsage } from "@/lib/operations/reading/record-usage";
import { SharedAnswers } from "@/lib/operations/reading/shared-answers";
import type { Column, Profile } from "@/lib/schemas/column";
import { rowProfileSchema } from "@/lib/schemas/table";
import { hmacKey } from "@/lib/storage/secret";
import type { Reader } from "@/lib/store/datasets/readable";
import { profilesJson, type TableVersion } from "@/lib/store/datasets/tables";
import { presentVersion } from "./get-schema";
import { operation } from "./operation";
import { QUERY_ERRORS } from "./query-table";

type RowProfile = z.output<typeof rowProfileSchema>;

/** What of a query decides which rows match, and the columns that are counted. */
const bodySchema = querySchema.pick({
  columns: true,
  filters: true,
  search: true,
  near: true,
  lookups: true,
  version_id: true,
  as_of: true,
});

const COLUMNS_MAX = 50;
const TOP_VALUES_MAX = 20;
/** Distinct values, in the whole table, of all columns whose values are counted: those of the first columns. */
const DISTINCT_MAX = 100_000;
const CACHED_MAX = 64;
const TIMEOUT_CACHED_MS = 60_000;

const ROW_PROFILE = {
  quota: "query",
  output: rowProfileSchema,
  errors: QUERY_ERRORS,
  examples: {
    body: { columns: ["Date", "CO2"], filters: [{ column: "CO2", operator: "gt", value: 400 }] },
  },
} as const;

const DESCRIPTION =
  "Counts values over the rows that filters, search and distance match: nulls, the bins of the table's histogram, " +
  `and the most frequent values of the first columns, up to ${DISTINCT_MAX.toLocaleString("en-GB")} distinct ones in ` +
  "all. Compare them with the profiles of the schema, which are of the whole table. " +
  `At most ${COLUMNS_MAX} columns. Counts as one query.`;

/** POST what a profile is to be counted over, with a use key. */
export const profileTableRows = operation({
  name: "profile_rows",
  summary: "Profile the rows that match",
  description: DESCRIPTION,
  access: "use_key",
  ...ROW_PROFILE,
  http: { method: "POST", path: "/api/v2/public/tables/{table_id}/profile" },
  input: { path: tablePathSchema, rawBody: bodySchema },
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx), ctx.generation),
  run: ({ body, located }, ctx) => profile(body, located, readerOf(ctx), ctx),
});

/** The same without a key. A key that is sent anyway is ignored. */
export const profileTableRowsAnonymously = operation({
  name: "profile_rows_anonymously",
  summary: "Profile the rows that match without a key",
  description: `${DESCRIPTION} If a key is sent, it is ignored.`,
  access: "open_query",
  ...ROW_PROFILE,
  http: { method: "POST", path: "/api/public/tables/{table_id}/profile" },
  input: { path: tablePathSchema, rawBody: bodySchema },
  locate: ({ table_id }, { generation }) => locateTable(table_id, undefined, generation),
  run: ({ body, located }, ctx) => profile(body, located, undefined, ctx),
});

async function profile(
  body: unknown,
  current: TableVersion,
  reader: Reader | undefined,
  ctx: Context,
): Promise<RowProfile> {
  requireRows(body);
  const { as_of, ...query } = parseQuery(body, { rowsMax: Infinity, bytesMax: Infinity }, current.columns);
  if (query.columns.length > COLUMNS_MAX)
    throw failWith([
      {
        pointer: "/columns",
        code: "too_many_values",
        message: `Too many columns: ${query.columns.length} (maximum ${COLUMNS_MAX}).`,
      },
    ]);
  const version = await locateChosen(current, { version_id: query.version_id, as_of }, "/", ctx.now());
  const lookups = await locateLookups({ ...query, as_of }, [], reader, ctx);
  const read = [version, ...lookups];
  const name = ["row profile", ...read.map(({ versionId }) => versionId), JSON.stringify(query)].join(" ");
  const profiles = processWide("row-profiles", () => new SharedAnswers<RowProfile>(CACHED_MAX, TIMEOUT_CACHED_MS));
  const count = async (signal: AbortSignal): Promise<RowProfile> => {
    const columns = presentColumns(version.columns, await profilesJson(version.versionId));
    const counted = await profileRows(
      await ctx.engine(),
      sealedVersions(version, lookups),
      { ...query, version_id: undefined },
      countedColumns(columns),
      { secret: hmacKey("cursors"), caller: { subject: querySubject(ctx), signal } },
    );
    return {
      schema_version: "service-public-row-profile.v1",
      table: presentVersion(version),
      rows: counted.rows,
      columns: counted.columns.map((each) => presentCounts(each, columns[each.column])),
    };
  };
  const output = await profiles.get(name, count, ctx.signal);
  for (const each of read) connectOnRead(ctx, each);
  recordUsage(ctx, version, { queries: 1, downloads: 0, rows: 0, bytes: 0 });
  return output;
}

/** Rejects what a query may have besides, rather than ignoring it. */
function requireRows(body: unknown): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return;
  const faults = Object.keys(querySchema.shape)
    .filter((key) => key in body && !(key in bodySchema.shape))
    .map((key) => ({
      pointer: `/${key}`,
      code: "invalid_request" as const,
      message: `${key} does not apply to a profile of rows. Leave it out.`,
    }));
  if (faults.length > 0) throw failWith(faults);
}

/** Bins where the table has them, else values as long as they are few. */
function countedColumns(columns: readonly Column[]): (column: number) => CountedColumn {
  let left = DISTINCT_MAX;
  return (column) => {
    const { histogram, top_values, true_count, distinct_count }: Partial<Profile> = columns[column]?.profile ?? {};
    if (histogram && histogram.counts.length > 1) return { column, edges: histogram.edges.map(asEntered) };
    const distinct = true_count !== undefined ? 2 : top_values ? (distinct_count?.value ?? Infinity) : Infinity;
    if (distinct > left) return { column };
    left -= distinct;
    return { column, hasValues: true };
  };
}

/** A number as a filter has it. */
const asEntered = (edge: unknown): unknown => (typeof edge === "number" ? new LosslessNumber(String(edge)) : edge);

function presentCounts(
  { name, type, nulls: null_count, bins, values }: ColumnCounts,
  column: Column | undefined,
): RowProfile["columns"][number] {
  const { histogram, true_count } = column?.profile ?? {};
  const found = values?.map(({ json, count }) => ({ value: parseExactJson(json), count })) ?? [];
  return {
    name,
    type,
    profile: {
      null_count,
      ...(bins && histogram && { histogram: { ...histogram, counts: bins } }),
      ...(true_count !== undefined
        ? { true_count: found.find(({ value }) => value === true)?.count ?? 0 }
        : values && { top_values: found.slice(0, TOP_VALUES_MAX) }),
    },
  };
}
