import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { browserTable, tableRoute } from "@/lib/describe/links";
import { versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { type Changes, changeColumns, readChanges } from "@/lib/engine/run/changes";
import { type Cursor, cursorLength, digestQuery, formatCursor, parseCursor } from "@/lib/engine/run/cursor";
import type { Rows } from "@/lib/engine/run/read-rows";
import type { QueryPage } from "@/lib/engine/run/reply";
import { PAGE_FORMATS } from "@/lib/formats/page-formats";
import { env } from "@/lib/kernel/env";
import { type ErrorCode, type Fault, fail, failWith } from "@/lib/kernel/errors";
import { formatList } from "@/lib/kernel/format";
import { requireDownloadable } from "@/lib/limits/download-size";
import { withChanges } from "@/lib/operations/reading/change-files";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { locateNamed, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { type Answer, QUERY_ALTERNATIVES, replyWithJson } from "@/lib/operations/reading/query-reply";
import { recordUsage } from "@/lib/operations/reading/record-usage";
import { changesSchema } from "@/lib/schemas/changes";
import { hmacKey } from "@/lib/storage/secret";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { presentSide } from "./compare-versions";
import { operation, type Reply } from "./operation";

const querySchema = z.strictObject({
  since: versionNameSchema
    .optional()
    .describe("The version to start from: UUID, label or number. Required without a cursor."),
  until: versionNameSchema
    .optional()
    .describe("The version to arrive at: UUID, label or number. Default: the current version."),
  cursor: z.string().max(2000).optional().describe("next_cursor of the previous page, which names both versions."),
  limit: z.coerce.number().int().min(1).optional().describe("Changes per page, up to 10,000, which is the default."),
});
type Parameters = z.output<typeof querySchema>;

// biome-ignore format: a list of codes reads best in lines of its own length
const ERRORS: readonly ErrorCode[] = [
  "invalid_value", "invalid_limit", "invalid_cursor", "cursor_mismatch", "version_withdrawn", "result_too_large",
  "artifact_too_large", "integrity_failure", "busy", "query_timeout", "storage_timeout",
];

/** The forms besides JSON: those that hold rows within rows. */
const FORMS = PAGE_FORMATS.filter(({ nests }) => nests);
const LABELS = formatList(
  FORMS.map(({ label }) => label),
  "and",
);

/** GET the changes between two versions, page by page, with a use key: together they are the whole table. */
export const queryChanges = operation({
  name: "query_changes",
  summary: "Read the changes between two versions",
  description:
    "The rows that were deleted, inserted and updated from one version (since) to another (until), to bring a copy " +
    "up to date: applied in their order to all rows of since, they give all rows of until. Rows are matched by the " +
    "declared key. Without one, they are only deleted and inserted, each as often as it occurs more in one version. " +
    "If the columns differ, the first change says how (op: schema): take the rows of since in the columns of until, " +
    "with null for added and retyped ones, before applying the rest. Values are compared exactly, with the sign of " +
    `a zero. Up to 10,000 changes and 8 MiB per page. Accept ${formatList(
      FORMS.map(({ media }) => media),
      "or",
    )} for the changes alone, with ` +
    "the cursor in X-Next-Cursor. Counts as one query per page.",
  access: "use_key",
  quota: "query",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/changes" },
  input: { path: tablePathSchema, query: querySchema },
  output: changesSchema,
  errors: ERRORS,
  replyHeaders: {
    ETag: "Strong ETag of both versions with their labels, the table's names and the page.",
    Link: 'The dataset\'s page, rel="cite-as".',
    "X-Next-Cursor": `${LABELS}: the cursor of the next page, if there is one.`,
    "X-Truncated": `${LABELS}: whether more changes exist.`,
    "Content-Disposition": `${LABELS}: the file name, from dataset, table and version.`,
    RateLimit: "The remaining quota for the current minute.",
    "RateLimit-Policy": "The quota policy.",
  },
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx), ctx.generation),
  async run({ query, located: current }, ctx): Promise<Answer> {
    const { since, until, after, limit } = await chosenPage(query, current);
    requireDownloadable(Math.max(since.bytes, until.bytes));
    const page = await withChanges(since, until, ctx, (changes) =>
      readPage(changes, { since, until, after, limit }, ctx),
    );
    connectOnRead(ctx, until);
    recordUsage(ctx, until, { queries: 1, downloads: 0, rows: page.returnedRows, bytes: page.body.byteLength });
    return {
      ...{ page, version: until, lookups: [], kind: "changes", query: "", wideAsText: false },
      tag: JSON.stringify(["changes", namesOf(until), presentSide(since), presentSide(until), String(after), limit]),
      url: urlOf(current, ctx),
    };
  },
  reply: (answer, ctx) => unlessUnchanged(replyWithJson(answer, ctx), ctx),
  alternatives: Object.fromEntries(
    FORMS.map(({ media }) => [
      media,
      async (answer: Answer, ctx: Context) =>
        unlessUnchanged(await (QUERY_ALTERNATIVES[media] ?? replyWithJson)(answer, ctx), ctx),
    ]),
  ),
});

interface Page {
  since: TableVersion;
  until: TableVersion;
  /** The position of the last change on the previous page. */
  after: bigint | undefined;
  limit: number;
}

/** What a request asks for: versions by name, or those that its cursor pins. */
async function chosenPage(asked: Parameters, current: TableVersion): Promise<Page> {
  const cursor = asked.cursor === undefined ? undefined : parseCursor(asked.cursor, hmacKey("cursors"));
  const faults = faultsOf(asked, cursor);
  if (faults.length > 0) throw failWith(faults);
  if (cursor && (cursor.lookups.length !== 1 || !cursor.query.equals(digestOf(current)))) throw mismatch();
  const since = await versionOr(current, asked.since ?? cursor?.lookups[0], "?since");
  const until = await versionOr(current, asked.until ?? cursor?.versionId, "?until");
  const isPinned = !cursor || (since.versionId === cursor.lookups[0] && until.versionId === cursor.versionId);
  if (!isPinned) throw mismatch();
  return { since, until, after: cursor?.position, limit: asked.limit ?? env().ROWS_KEY };
}

function faultsOf({ since, cursor: text, limit = 1 }: Parameters, cursor: Cursor | undefined): Fault[] {
  const limitMax = env().ROWS_KEY;
  return [
    ...(limit > limitMax ? [limitFault(limitMax)] : []),
    ...(text === undefined && since === undefined ? [SINCE_MISSING] : []),
    ...(text !== undefined && !cursor ? [CURSOR_MALFORMED] : []),
  ];
}

const versionOr = (current: TableVersion, name: string | undefined, pointer: "?since" | "?until") =>
  name === undefined ? Promise.resolve(current) : locateNamed(current, name, pointer);

const limitFault = (most: number) => ({
  ...{ pointer: "?limit", code: "invalid_limit" as const, message: `limit: an integer from 1 to ${most}.` },
});

const SINCE_MISSING = {
  pointer: "?since",
  code: "invalid_request" as const,
  message: "since is missing. Name the version whose rows you have by its UUID, label or number.",
};

const CURSOR_MALFORMED = { pointer: "?cursor", code: "invalid_cursor" as const, message: "The cursor is malformed." };

const mismatch = () =>
  fail("cursor_mismatch", {
    faults: [
      {
        pointer: "?cursor",
        code: "cursor_mismatch" as const,
        message: "The cursor was issued for other versions, another table or a query.",
      },
    ],
  });

/** What a cursor of changes is bound to besides its two versions. */
const digestOf = ({ tableId }: TableVersion): Buffer => digestQuery(["changes", tableId]);

async function readPage(changes: Changes, { since, until, after, limit }: Page, ctx: Context): Promise<QueryPage> {
  const head = Buffer.from(headOf(changes, since, until));
  const tailMax = TAIL_BYTES + cursorLength(1);
  const bytesMax = Math.min(env().BYTES_KEY, ctx.pageBytesMax ?? Infinity) - head.byteLength - tailMax;
  const caller = { subject: querySubject(ctx), signal: ctx.signal };
  const rows = await readChanges(await ctx.engine(), changes, { after, limit, bytesMax }, caller);
  if (rows.tooLarge)
    throw fail("result_too_large", { message: "One change exceeds a page. Download the whole table instead." });
  const nextCursor = nextCursorOf(rows, since, until);
  return {
    body: Buffer.concat([head, ...rows.parts, Buffer.from(`],"next_cursor":${JSON.stringify(nextCursor)}}`)]),
    ...{ columns: changeColumns(changes), rowParts: rows.parts, returnedRows: rows.taken, truncated: rows.hasMore },
    ...{ scannedBytes: 0, elapsedMs: ctx.elapsedMs(), nextCursor, grouped: false, isCached: false },
  };
}

const TAIL_BYTES = '],"next_cursor":""}'.length;

const namesOf = ({ tableId, tableName, tableSlug }: TableVersion) => ({
  id: tableId,
  name: tableName,
  slug: tableSlug,
});

function headOf({ key, total, file }: Changes, since: TableVersion, until: TableVersion): string {
  const head = JSON.stringify({
    schema_version: "service-public-table-changes.v1",
    table: namesOf(until),
    since: presentSide(since),
    until: presentSide(until),
    key,
    columns: file.columns.slice(-until.columns.length).map(({ name, type }) => ({ name, type })),
    total_changes: total,
  });
  return `${head.slice(0, -1)},"changes":[`;
}

function nextCursorOf({ hasMore, last }: Rows, since: TableVersion, until: TableVersion): string | null {
  if (!hasMore || last === undefined) return null;
  const pins = { versionId: until.versionId, lookups: [since.versionId] };
  return formatCursor({ ...pins, position: last, query: digestOf(until) }, hmacKey("cursors"));
}

function urlOf({ tableId }: TableVersion, ctx: Context): string {
  const isOwnBrowser = ctx.actor.kind === "person" && ctx.membership !== undefined;
  return isOwnBrowser
    ? browserTable(ctx.baseUrl, ctx.membership.workspaceId, tableId, "changes")
    : tableRoute(ctx.baseUrl, tableId, "changes");
}

/** A page changes only with the names in its head, which are part of its entity tag. */
function unlessUnchanged(reply: Reply, ctx: Context): Reply {
  if (!isUnchanged(ctx, reply.headers.etag ?? "")) return reply;
  const { "content-type": _type, "content-disposition": _name, ...headers } = reply.headers;
  return { status: 304, headers, body: { kind: "none" } };
}
