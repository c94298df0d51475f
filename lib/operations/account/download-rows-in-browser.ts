import { createHash } from "node:crypto";
import { stringify } from "lossless-json";
import { z } from "zod";
import { readerOf, workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject, takeDownload, takeQuery } from "@/lib/access/quotas";
import { browserTable } from "@/lib/describe/links";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { isGrouped } from "@/lib/engine/plan/plan";
import { parseQuery } from "@/lib/engine/run/query";
import { TZDB } from "@/lib/engine/run/settle-zones";
import { ROW_FILES, type RowFileName } from "@/lib/formats/row-files";
import { failWith } from "@/lib/kernel/errors";
import { formatCount, formatList } from "@/lib/kernel/format";
import { downloadCurrent, isLight, locateFile } from "@/lib/operations/download-current";
import { operation, type Reply } from "@/lib/operations/operation";
import { QUERY_ERRORS } from "@/lib/operations/query-table";
import { aboutRows } from "@/lib/operations/reading/about-rows";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { acceptsGzip, generatedStream } from "@/lib/operations/reading/generated-stream";
import { locateLookups } from "@/lib/operations/reading/locate-lookups";
import { locateChosen, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { citeAs } from "@/lib/operations/reading/query-reply";
import { recordFileDownload } from "@/lib/operations/reading/record-download";
import { type ChosenView, countView, openViewRows, requireHeld, startFile } from "@/lib/operations/reading/view-rows";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { proveBlob } from "@/lib/storage/read-blob";
import type { TableVersion } from "@/lib/store/datasets/tables";

/** Beyond this, a request's head would be rejected by the listener. */
const QUERY_MAX = 12_000;
/** Keys of a query that are about pages or about replies in JSON. */
const PAGES_ONLY = ["cursor", "offset", "cell", "total", "notes", "int64"];

const querySchema = z.strictObject({
  query: z
    .string()
    .max(QUERY_MAX)
    .default("{}")
    .describe(
      "A query's body as JSON. Without columns, all of them; without limit, all rows or groups. " +
        `${formatList(PAGES_ONLY, "and")} are not accepted.`,
    ),
});

interface Answer {
  form: RowFileName;
  version: TableVersion;
  lookups: readonly TableVersion[];
  tag: string;
  isCompressed: boolean;
  kind: "whole" | "head" | "not_modified";
  /** Absent for replies without a body. */
  file?: { rows: number; chunks: AsyncIterable<Buffer>; release(): void };
}

/** GET all rows of a view as a file of one format, from the signed-in person's own browser. */
function rowsDownload(form: RowFileName) {
  const { format, rowsMax, isCompressible } = { rowsMax: undefined, isCompressible: false, ...ROW_FILES[form] };
  return operation({
    name: `download_rows_${form}_in_browser`,
    summary: `Download all rows of a view as ${format.label} in your own browser`,
    description:
      `All rows, or groups, of a query as ${format.label}, for the service's own pages: in the query's order, from ` +
      "one immutable version, written while they are sent. The Parquet file that they are read from is verified " +
      "first. If anything fails after the first byte, the connection is cut. " +
      (rowsMax === undefined ? "" : `At most ${formatCount(rowsMax)} rows. `) +
      "Counts as one download. The session is the credential, the quota is yours, and the dataset is connected to " +
      "the workspace. Requests from other sites are rejected.",
    access: "own_browser",
    quota: "own",
    http: { method: "GET", path: `/api/account/workspaces/{workspace_id}/tables/{table_id}/rows.${form}` },
    input: { path: tablePathSchema.extend(workspacePathSchema.shape), query: querySchema },
    output: { mediaType: format.media },
    errors: [...(downloadCurrent.errors ?? []), ...QUERY_ERRORS, "invalid_json"],
    replyHeaders: {
      ETag: "Strong ETag of the version, the query and the format.",
      "Content-Digest": "RFC 9530 digest of the bytes sent, as a trailer.",
      "X-Service-Source-Digest": "Digest of the Parquet file that the rows come from, as sha256:<hex>.",
      "X-Service-Rows": "The number of rows or groups in the file.",
      "Content-Disposition": "File name: the dataset, the table and the version.",
      ...(isCompressible && { "Content-Encoding": "gzip, if the request accepts it." }),
      Link: 'The dataset\'s page, rel="cite-as".',
    },
    locate: locateFile,
    async run({ query, located: current }, ctx): Promise<Answer> {
      const view = await chooseView(query.query, current, ctx);
      const { version, lookups } = view;
      connectAll(view, ctx);
      const isCompressed = isCompressible && acceptsGzip(ctx.header("accept-encoding") ?? "");
      const tag = tagOf(view, `${form}${isCompressed ? " gzip" : ""}`);
      const answer = { form, version, lookups, tag, isCompressed };
      if (isUnchanged(ctx, tag)) return { ...answer, kind: "not_modified" };
      const engine = await ctx.engine();
      const caller = { subject: querySubject(ctx), signal: ctx.signal };
      if (ctx.method === "HEAD") {
        await takeQuery(ctx); // as it counts the rows
        const counted = await countView(view, engine, caller);
        if (counted) await requireHeld(ROW_FILES[form], counted);
        return { ...answer, kind: "head" };
      }
      await proveAll(view, ctx);
      if (isLight(ctx)) await takeDownload(ctx);
      const { release, ...source } = await openViewRows(view, engine, caller);
      try {
        await requireHeld(ROW_FILES[form], source);
        const about = await aboutRows(view, source.rows, ctx);
        const chunks = await startFile(ROW_FILES[form], { ...source, about });
        return { ...answer, kind: "whole", file: { rows: source.rows, chunks, release } };
      } catch (error) {
        release();
        throw error;
      }
    },
    reply: (answer, ctx) => ({
      status: answer.kind === "not_modified" ? 304 : 200,
      headers: headersOf(answer, ctx),
      body: bodyOf(answer, ctx),
    }),
  });
}

function connectAll({ version, lookups }: ChosenView, ctx: Context): void {
  for (const read of [version, ...lookups]) connectOnRead(ctx, read);
}

async function proveAll({ version, lookups }: ChosenView, { signal }: Context): Promise<void> {
  for (const read of [version, ...lookups]) await proveBlob(read, signal);
}

/** The version that a query names, and the query without it. Rejects what is about pages. */
async function chooseView(text: string, current: TableVersion, ctx: Context): Promise<ChosenView> {
  const sent = parseJsonBody(text);
  const isObject = typeof sent === "object" && sent !== null && !Array.isArray(sent);
  const body = isObject ? { columns: [], ...sent } : sent;
  const faults = (isObject ? PAGES_ONLY : [])
    .filter((key) => key in (sent as object))
    .map((key) => ({
      pointer: `/${key}`,
      code: "invalid_request" as const,
      message: `${key} does not apply to a file of all rows. Leave it out.`,
    }));
  if (faults.length > 0) throw failWith(faults);
  const parsed = parseQuery(body, { rowsMax: Number.MAX_SAFE_INTEGER, bytesMax: Infinity }, current.columns);
  const { as_of, ...query } = parsed;
  const version = await locateChosen(current, { version_id: query.version_id, as_of }, "/", ctx.now());
  const lookups = await locateLookups(parsed, [], readerOf(ctx), ctx);
  const isWhole = query.columns.length === 0 && !isGrouped(query);
  const found = (query.lookups ?? []).flatMap(({ as, columns }) => columns.map((name) => `${as}.${name}`));
  const columns = isWhole ? [...version.columns.map(({ name }) => name), ...found] : query.columns;
  const rowsMax = isObject && "limit" in sent ? query.limit : undefined;
  const chosen = { ...query, columns, version_id: version.versionId };
  return { version, lookups, query: chosen, rowsMax, text: stringify(sent) ?? "" };
}

function tagOf({ version, lookups, query, rowsMax }: ChosenView, form: string): string {
  const others = lookups.map(({ versionId }) => versionId);
  const editions = [...(isGrouped(query) ? [TZDB] : []), ...others];
  const parts = [version.digest, JSON.stringify(query), rowsMax ?? "", form, ...editions];
  return `"rows-${createHash("sha256").update(parts.join("\n")).digest("hex")}"`;
}

function headersOf(answer: Answer, ctx: Context): Record<string, string> {
  const { form, version, lookups, tag, isCompressed, kind, file } = answer;
  const { format } = ROW_FILES[form];
  const always = {
    etag: tag,
    ...("isCompressible" in ROW_FILES[form] && { vary: "Accept-Encoding" }),
    "cache-control": "private, no-cache",
    link: citeAs([version, ...lookups], ctx),
  };
  if (kind === "not_modified") return always;
  const name = `${version.datasetSlug}-${version.tableSlug}-${version.versionId.slice(0, 8)}-rows.${form}`;
  return {
    ...always,
    "content-type": format.contentType ?? format.media,
    "content-disposition": `attachment; filename="${name}"`,
    "x-service-source-digest": `sha256:${version.digest}`,
    ...(isCompressed && { "content-encoding": "gzip" }),
    ...(file && { trailer: "Content-Digest", "x-service-rows": String(file.rows) }),
  };
}

/** Pieces of sorted rows are the largest that a stream holds. */
const HELD_BYTES = 8 << 20;

function bodyOf({ form, version, isCompressed, file }: Answer, ctx: Context): Reply["body"] {
  if (!file) return { kind: "none" };
  const path = browserTable("", workspaceOf(ctx) ?? "", version.tableId, `rows.${form}`);
  const { stream, trailers } = generatedStream(file.chunks, isCompressed);
  stream.once("close", file.release);
  return {
    kind: "stream",
    ...{ stream, trailers, heldBytes: HELD_BYTES },
    onSent: ({ bytes, complete }) => void (complete && recordFileDownload({ ...version, bytes }, path, ctx)),
  };
}

/** All rows as CSV, in the form of CSV pages. */
export const downloadRowsCsv = rowsDownload("csv");

/** All rows as Parquet. */
export const downloadRowsParquet = rowsDownload("parquet");

/** All rows as an Excel workbook. */
export const downloadRowsExcel = rowsDownload("xlsx");
