import { randomBytes } from "node:crypto";
import { stringify } from "lossless-json";
import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { anonymousQuery, browserTable, tableRoute } from "@/lib/describe/links";
import { type QueryBody, querySchema } from "@/lib/engine/grammar/grammar";
import { hasFloatWidth } from "@/lib/engine/plan/groups";
import type { CursorSecret } from "@/lib/engine/run/cursor";
import { parseQuery, pinnedLookups, pinnedVersion, runQuery, type Tier } from "@/lib/engine/run/query";
import { TZDB } from "@/lib/engine/run/settle-zones";
import { PAGE_FORMATS } from "@/lib/formats/page-formats";
import { env } from "@/lib/kernel/env";
import { type ErrorCode, failWith } from "@/lib/kernel/errors";
import { formatList } from "@/lib/kernel/format";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { locateLookups } from "@/lib/operations/reading/locate-lookups";
import {
  chosenId,
  findSibling,
  locateTable,
  locateVersion,
  tablePathSchema,
} from "@/lib/operations/reading/locate-table";
import { type Answer, QUERY_ALTERNATIVES, replyWithJson, requireJson } from "@/lib/operations/reading/query-reply";
import { sealedVersions } from "@/lib/operations/reading/read-version";
import { recordUsage } from "@/lib/operations/reading/record-usage";
import { queryReplySchema } from "@/lib/schemas/query-reply";
import { hmacKey } from "@/lib/storage/secret";
import type { Reader } from "@/lib/store/datasets/readable";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { operation } from "./operation";
import { queryTableTool } from "./views/query-tool";

// biome-ignore format: a list of codes reads best in lines of its own length
/** What a query may be rejected with, whichever table it reads, besides what `errorsOf` derives. */
export const QUERY_ERRORS: readonly ErrorCode[] = [
  "unknown_column", "duplicate_column", "unsupported_operator", "operator_not_applicable", "invalid_value",
  "too_many_values", "invalid_limit", "invalid_offset", "invalid_cursor", "cursor_mismatch", "cursor_with_offset",
  "invalid_order_by", "column_not_orderable", "column_not_groupable", "too_many_group_columns", "unknown_function",
  "function_not_applicable", "alias_conflict", "invalid_alias", "paging_with_aggregates", "version_withdrawn",
  "result_too_large", "integrity_failure", "busy", "query_timeout", "storage_timeout",
];

/** The cursor may also be in the URL, where links to the next page put it. */
const QUERY_PARAMETERS = z.strictObject({
  cursor: z.string().max(2000).optional().describe("The cursor, if it is not sent in the body."),
});
type Parameters = z.output<typeof QUERY_PARAMETERS>;

const OTHERS = formatList(
  PAGE_FORMATS.map(({ label }) => label),
  "and",
);

const HEADERS = {
  ETag: "Strong ETag of the version and the query.",
  Link: 'The dataset\'s page, rel="cite-as".',
  "Server-Timing": "`cache;desc=hit` if the rows of this very query were in memory.",
  "X-Next-Cursor": `${OTHERS}: the cursor of the next page, if there is one.`,
  "X-Truncated": `${OTHERS}: whether more rows or groups exist.`,
  "Content-Disposition": `${OTHERS}: the file name, from dataset, table and version.`,
  RateLimit: "The remaining quota for the current minute.",
  "RateLimit-Policy": "The quota policy.",
};

const EXAMPLE = {
  columns: ["Date", "CO2"],
  filters: [{ column: "CO2", operator: "gt", value: 400 }],
  order_by: [{ column: "CO2", direction: "desc" }],
  limit: 5,
};

/** What the three ways to query a table have in common. */
const QUERY_PAGE = {
  quota: "query",
  output: queryReplySchema,
  errors: QUERY_ERRORS,
  replyHeaders: HEADERS,
  examples: { body: EXAMPLE },
  reply: replyWithJson,
  alternatives: QUERY_ALTERNATIVES,
} as const;

/** POST a query with a use key: whole tables, up to 10,000 rows per page. */
export const queryTable = operation({
  name: "query_table",
  summary: "Query a table with a use key",
  description:
    "Runs a query in the closed grammar: filters, sorting, cursor pagination, grouping with aggregates. Up to " +
    "10,000 rows and 8 MiB per page. Following next_cursor reads the whole table from one immutable version. " +
    `Accept ${formatList(
      PAGE_FORMATS.map(({ media }) => media),
      "or",
    )} for the same page in that format.`,
  access: "use_key",
  ...QUERY_PAGE,
  http: { method: "POST", path: "/api/v2/public/tables/{table_id}/query" },
  input: { path: tablePathSchema, query: QUERY_PARAMETERS, rawBody: querySchema },
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx), ctx.generation),
  run: ({ query, body, located: current, media }, ctx) =>
    answer(
      withCursor(body, query),
      current,
      { ...keyTier(ctx), url: urlOf(current, ctx), media, reader: readerOf(ctx) },
      ctx,
    ),
  mcp: queryTableTool,
});

/** POST a query without a key: up to 100 rows per page. A key that is sent anyway is ignored. */
export const queryTableAnonymously = operation({
  name: "query_table_anonymously",
  summary: "Query a table without a key",
  description:
    "The same queries and responses as with a use key, up to 100 rows and 64 KiB per page. If a key is sent, it is " +
    "ignored.",
  access: "open_query",
  ...QUERY_PAGE,
  http: { method: "POST", path: "/api/public/tables/{table_id}/query" },
  input: { path: tablePathSchema, query: QUERY_PARAMETERS, rawBody: querySchema },
  locate: ({ table_id }, { generation }) => locateTable(table_id, undefined, generation),
  run: ({ query, body, located: current, media }, ctx) =>
    answer(
      withCursor(body, query),
      current,
      {
        rowsMax: env().ROWS_ANONYMOUS,
        bytesMax: env().BYTES_ANONYMOUS,
        url: anonymousQuery(ctx.baseUrl, current.tableId),
        media,
        reader: undefined,
      },
      ctx,
    ),
});

/** For a chart's query without a key: more rows than a page, and no further pages. */
export const queryTableForChart = operation({
  name: "query_table_for_chart",
  summary: "Query the marks of a chart without a key",
  description:
    "The same queries and responses as without a key, for all marks of one chart: up to 3,000 rows or groups of at " +
    "most six columns, 512 KiB. There are no further pages: `cursor` and `offset` are rejected.",
  access: "open_query",
  ...QUERY_PAGE,
  examples: { body: { columns: ["Date", "CO2"], limit: 3000 } },
  http: { method: "POST", path: "/api/public/tables/{table_id}/chart" },
  input: { path: tablePathSchema, rawBody: querySchema },
  locate: ({ table_id }, { generation }) => locateTable(table_id, undefined, generation),
  run: async ({ body, located: current, media }, ctx) => {
    const tier = { rowsMax: env().ROWS_CHART, bytesMax: env().BYTES_CHART };
    requireOnePage(parseQuery(body, tier, current.columns));
    const url = anonymousQuery(ctx.baseUrl, current.tableId);
    return await answer(body, current, { ...tier, url, media, reader: undefined }, ctx);
  },
});

/** Limits the columns of a chart: with more, it would be a way to read a table without a key. */
const CHART_COLUMNS_MAX = 6;

function requireOnePage({ cursor, offset, columns }: QueryBody): void {
  const paged = [
    ...(cursor === undefined ? [] : ["/cursor"]),
    ...(offset === undefined || offset === 0 ? [] : ["/offset"]),
  ].map((pointer) => ({ pointer, code: "invalid_request" as const, message: "A chart has one page." }));
  const wide = columns.length > CHART_COLUMNS_MAX && {
    pointer: "/columns",
    code: "invalid_request" as const,
    message: `Too many columns for a chart: ${columns.length} (maximum ${CHART_COLUMNS_MAX}).`,
  };
  const faults = [...paged, ...(wide ? [wide] : [])];
  if (faults.length > 0) throw failWith(faults);
}

/** The route that serves the next page to this caller. */
function urlOf({ tableId }: TableVersion, ctx: Context): string {
  const isOwnBrowser = ctx.actor.kind === "person" && ctx.membership !== undefined;
  return isOwnBrowser
    ? browserTable(ctx.baseUrl, ctx.membership.workspaceId, tableId, "query")
    : tableRoute(ctx.baseUrl, tableId, "query");
}

const keyTier = ({ pageBytesMax }: Context): Tier => ({
  rowsMax: env().ROWS_KEY,
  bytesMax: Math.min(env().BYTES_KEY, pageBytesMax ?? Infinity),
  asLists: pageBytesMax !== undefined,
});

function withCursor(body: unknown, { cursor }: Parameters): unknown {
  if (cursor === undefined || typeof body !== "object" || body === null || Array.isArray(body)) return body;
  if ("cursor" in body)
    throw failWith([
      {
        pointer: "?cursor",
        code: "invalid_request",
        message: "`cursor` was sent in both the body and the query string. Send it once.",
      },
    ]);
  return { ...body, cursor };
}

async function answer(
  body: unknown,
  current: TableVersion,
  tier: Tier & { url: string; media: string | undefined; reader: Reader | undefined },
  ctx: Context,
): Promise<Answer> {
  const parsed = parseQuery(body, tier, current.columns);
  const query = await withVersionId(parsed, current, ctx);
  if (query.notes) requireJson(tier.media);
  const secret = hmacKey("cursors");
  const version = await versionToRead(current, query, secret, ctx.generation);
  const lookups = await locateLookups(parsed, pinnedLookups(query, secret), tier.reader, ctx);
  const queryId = `qry_${randomBytes(15).toString("base64url")}`;
  const page = await runQuery(await ctx.engine(), sealedVersions(version, lookups), query, tier, {
    secret,
    queryId,
    elapsedMs: ctx.elapsedMs,
    subject: querySubject(ctx),
    signal: ctx.signal,
  });
  for (const read of [version, ...lookups]) connectOnRead(ctx, read);
  recordUsage(ctx, version, { queries: 1, downloads: 0, rows: page.returnedRows, bytes: page.body.byteLength });
  return {
    page,
    version,
    lookups,
    tag: [
      version.digest,
      JSON.stringify(query),
      ...editionOf(query, version),
      ...lookups.map(({ versionId }) => versionId),
    ].join(" "),
    query: stringify({ ...query, version_id: undefined }) ?? "",
    wideAsText: query.int64 === "string",
    url: tier.url,
  };
}

/** What groups depend on besides version and query: how bands were once formed, and when clocks are changed. */
const editionOf = ({ group_by }: QueryBody, { columns }: TableVersion): string[] => [
  ...(hasFloatWidth(group_by, columns) ? ["bands"] : []),
  ...(group_by.some((entry) => typeof entry === "object" && entry.zone !== undefined) ? [TZDB] : []),
];

/** The body with the id of the version that it names in any form, since a cursor is bound to ids. */
async function withVersionId({ as_of, ...query }: QueryBody, current: TableVersion, ctx: Context): Promise<QueryBody> {
  const version_id = await chosenId(current, { version_id: query.version_id, as_of }, "/", ctx.now());
  return { ...query, version_id };
}

/**
 * The version that the body names, or that its cursor is bound to. A cursor of another table's version is left to the
 * engine, which rejects it.
 */
async function versionToRead(
  current: TableVersion,
  query: QueryBody,
  secret: CursorSecret,
  under: string | undefined,
): Promise<TableVersion> {
  const pinned = pinnedVersion(query, secret);
  const ofAnotherTable =
    query.cursor !== undefined &&
    pinned !== undefined &&
    pinned !== current.versionId &&
    !(await findSibling(current, pinned, under));
  return locateVersion(current, ofAnotherTable ? undefined : pinned, { under, pointer: "/version_id" });
}
