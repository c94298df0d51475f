import { randomBytes } from "node:crypto";
import { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { ownWorkspace, readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject, takeQuery } from "@/lib/access/quotas";
import { COLUMNS_MAX } from "@/lib/engine/grammar/bounds";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { parseQuery, pinnedLookups, runQuery } from "@/lib/engine/run/query";
import type { QueryPage } from "@/lib/engine/run/reply";
import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { JSON_FORMAT } from "@/lib/formats/page-formats";
import { env } from "@/lib/kernel/env";
import { fail, failWith } from "@/lib/kernel/errors";
import { formatCount } from "@/lib/kernel/format";
import { BUILD, locateRun, runPathSchema } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { QUERY_ERRORS } from "@/lib/operations/query-table";
import { locateLookups } from "@/lib/operations/reading/locate-lookups";
import { rejectWithdrawn } from "@/lib/operations/reading/locate-table";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { READING, type Viewed } from "@/lib/operations/tool-part";
import { briefQuery, isGrouped } from "@/lib/operations/views/query-arguments";
import { noteSchema, type QueryReply, queryReplySchema } from "@/lib/schemas/query-reply";
import { hmacKey } from "@/lib/storage/secret";
import { type RunTable, runTables } from "@/lib/store/runs/run-tables";
import type { StoredRun } from "@/lib/store/runs/runs";
import { runTableVersion } from "./run-table-version";

const PAGE_BYTES = 9_000;
const ROWS_DEFAULT = "20";

/** What the rows are, as told to the reader. */
const KIND_LABELS: Readonly<Record<RunTable["kind"], string>> = {
  sealed: "SEALED, as the run made it:",
  sample: "SAMPLE, not published:",
  candidate: "CANDIDATE of a failed run, not sealed:",
  rejects: "REJECTS, at most 50 cells per column and step:",
};
const LEFT_OUT = "left_out";
const LEFT_OUT_LABEL = "LEFT OUT by readers, at most 1,000 per source and cause:";

const outputSchema = queryReplySchema.pick({ lookups: true, columns: true, rows: true, next_cursor: true }).extend({
  run_id: z.uuid(),
  table: z.string(),
  kind: z.enum(["sealed", "sample", "candidate", "rejects"]),
  sampled: z.boolean(),
  truncated: z.boolean().describe("Whether more rows or groups exist."),
  total_rows: z.int().nullable().describe("All rows or groups; null if unknown: send total to count those that match."),
  notes: z.array(noteSchema).optional().describe("With notes: what in the result could mislead."),
});
type RunReply = z.output<typeof outputSchema>;

const toolOutputSchema = outputSchema.extend({
  rows: z.array(z.array(z.unknown())).describe("Values in the order of columns."),
});

/** POST a query over what a run made, before it is made current. */
export const queryRun = operation({
  name: "query_run",
  summary: "Query what a run made",
  description:
    "Queries a table of a run's sample, of its result, or of what a failed run would have produced, rejected cells " +
    "as the table rejects, and what readers left out of sources as left_out; the other arguments are those of " +
    "query_table. Not published, so not cited.",
  access: "build_read",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/runs/{run_id}/tables/{table}/query` },
  input: {
    path: runPathSchema.extend({ table: z.string().max(100).describe("The table's slug, rejects or left_out.") }),
    rawBody: querySchema.extend({ columns: querySchema.shape.columns.optional() }),
  },
  output: outputSchema,
  errors: [...QUERY_ERRORS, "daily_quota_exhausted"],
  examples: { body: { columns: [], aggregates: [{ function: "count", as: "n" }] } },
  locate: locateRun,
  async run({ located, path, body }, ctx): Promise<RunReply> {
    const table = await runTable(located, path.table, ctx.now());
    const page = await pageOf(table, body, ctx);
    const reply = parseExactJson(Buffer.from(page.body).toString()) as QueryReply;
    const { columns, rows, next_cursor, execution } = reply;
    const { kind, slug } = table;
    const about = { run_id: located.id, table: slug, kind, sampled: kind === "sample" };
    const total_rows = execution.total_rows ?? (isPlain(body) ? table.rows : null);
    const { truncated, notes } = execution;
    const found = reply.lookups && { lookups: reply.lookups };
    return { ...about, ...found, columns, rows, truncated, total_rows, ...(notes && { notes }), next_cursor };
  },
  mcp: {
    output: toolOutputSchema,
    hints: READING,
    takes: "query",
    pageBytesMax: PAGE_BYTES,
    input: z.strictObject({
      run_id: z.string(),
      table: z.string().describe("The table's slug, rejects or left_out."),
      ...briefQuery,
    }),
    view: (reply: RunReply, { args }: Viewed<unknown, unknown>) => {
      const { run_id, table, kind, columns, next_cursor } = reply;
      const rows = reply.rows.map((row) => columns.map(({ name }) => row[name] ?? null));
      const label = kind === "rejects" && table === LEFT_OUT ? LEFT_OUT_LABEL : KIND_LABELS[kind];
      const head = `${label} table ${table} of run ${run_id}`;
      const names = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
      const lines = [
        head,
        statusText(reply, (args ?? {}) as Values),
        ...(reply.notes ?? []).map(({ message }) => message),
        names,
        ...rows.map((row) => stringifyExactJson(row)),
      ];
      return {
        structured: { ...reply, rows },
        text: [...lines, ...(next_cursor ? [`next_cursor: ${next_cursor}`] : [])].join("\n"),
      };
    },
    toInput(args: unknown, ctx) {
      const { run_id, table, ...body } = (args ?? {}) as Record<string, unknown>;
      if (typeof run_id !== "string" || typeof table !== "string")
        throw failWith([{ pointer: "/run_id", code: "invalid_request", message: "Send run_id and table." }]);
      return {
        path: { run_id, table, workspace_id: ownWorkspace(ctx) },
        body: { limit: new LosslessNumber(ROWS_DEFAULT), notes: true, ...body },
      };
    },
  },
});

/** POST the same from the studio's own pages: the reply of a query of a published table. */
export const queryRunInBrowser = operation({
  name: "query_run_in_browser",
  summary: "Query what a run made in your own browser",
  description:
    "The queries of query_run with the replies of query_table, for the service's own pages: the session is the " +
    "credential, and the quota is yours. `version_id` is the id of what the run made, and `published_at` when, also " +
    "of what was never made current.",
  access: "build_read",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/runs/{run_id}/tables/{table}/query" },
  input: { path: queryRun.input.path, rawBody: querySchema },
  output: queryReplySchema,
  errors: [...QUERY_ERRORS, "daily_quota_exhausted"],
  examples: { body: { columns: [], aggregates: [{ function: "count", as: "n" }] } },
  locate: locateRun,
  run: async ({ located, path, body }, ctx) => await pageOf(await runTable(located, path.table, ctx.now()), body, ctx),
  reply: (page) => ({
    status: 200,
    headers: { "content-type": JSON_FORMAT.media, "cache-control": "private, no-store" },
    body: { kind: "bytes", bytes: JSON_FORMAT.write(page) },
  }),
});

async function pageOf(table: RunTable, body: unknown, ctx: Context): Promise<QueryPage> {
  rejectVersion(body);
  if (ctx.door === "http") await takeQuery(ctx);
  const tier = {
    rowsMax: env().ROWS_KEY,
    bytesMax: Math.min(env().BYTES_KEY, ctx.pageBytesMax ?? Infinity),
    asLists: ctx.pageBytesMax !== undefined,
  };
  const query = parseQuery(withColumns(body, table), tier, table.columns);
  const secret = hmacKey("cursors");
  const lookups = await locateLookups(query, pinnedLookups(query, secret), readerOf(ctx), ctx);
  return await runQuery(
    await ctx.engine(),
    { ...runTableVersion(table), ...(lookups.length > 0 && { lookups: lookups.map(sealedVersion) }) },
    query,
    tier,
    {
      secret,
      queryId: `qry_${randomBytes(15).toString("base64url")}`,
      elapsedMs: ctx.elapsedMs,
      subject: querySubject(ctx),
      signal: ctx.signal,
    },
  );
}

/** What a run made has no versions; `as_of` is also the time of those in which columns are looked up. */
function rejectVersion(body: unknown): void {
  if (typeof body !== "object" || body === null) return;
  const isLookup = "lookups" in body;
  const faults = ["version_id", ...(isLookup ? [] : ["as_of"])]
    .filter((key) => key in body)
    .map((key) => ({
      pointer: `/${key}`,
      code: "invalid_request" as const,
      message: `${key} does not apply to what a run made, which has no versions. Leave it out.`,
    }));
  if (faults.length > 0) throw failWith(faults);
}

/** As in query_table, absent columns mean all columns, or none in a grouped query. */
function withColumns(body: unknown, { columns }: RunTable): unknown {
  if (typeof body !== "object" || body === null || "columns" in body) return body;
  const names = columns.slice(0, COLUMNS_MAX).map(({ name }) => name);
  return { ...body, columns: isGrouped(body as Record<string, unknown>) ? [] : names };
}

type Values = Readonly<Record<string, unknown>>;

/** Without conditions or groups, the result is the rows of the table itself. */
const isPlain = (body: unknown): boolean =>
  typeof body === "object" && body !== null && CHOOSING.every((key) => !Object.hasOwn(body, key));
const CHOOSING = ["filters", "search", "near", "top", "cell", "group_by", "aggregates", "having"] as const;

/** The number of rows shown and in total, and why some are missing. */
function statusText({ rows, truncated, total_rows: total, next_cursor: next }: RunReply, args: Values): string {
  const shown = formatCount(rows.length);
  if (!truncated) return `COMPLETE: ${shown} rows`;
  const isFull = rows.length < Number(args.limit ?? ROWS_DEFAULT);
  const why = isFull ? `, as many as fit in ${formatCount(PAGE_BYTES)} bytes` : "";
  const rest = next === null ? "raise limit for more" : "for the next page, send cursor = next_cursor";
  return `PARTIAL: ${shown} of ${total === null ? "more" : formatCount(total)} rows${why}; ${rest}`;
}

/** What a run made under a name. Rejects with not_found, naming what it made, or version_withdrawn. */
export async function runTable(run: StoredRun, slug: string, now: Date): Promise<RunTable> {
  const tables = await runTables(run.id, now);
  const found = tables.find((table) => table.slug === slug);
  if (found) {
    rejectWithdrawn(found);
    return found;
  }
  const known = tables.map((table) => table.slug).join(", ");
  const message =
    known === "" ? "The run made no table, or its sample has expired. Start it again with start_run." : "";
  throw fail("not_found", {
    message: message || `The run has no table ${slug}. Call query_run with one of: ${known}.`,
  });
}
