import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { querySubject, takeDownload } from "@/lib/access/quotas";
import { browserTable, datasetPage } from "@/lib/describe/links";
import { csvTable } from "@/lib/formats/csv-table";
import { CSV_FORMAT } from "@/lib/formats/page-formats";
import { requireDownloadable } from "@/lib/limits/download-size";
import { downloadCurrent, isLight, locateFile } from "@/lib/operations/download-current";
import { operation, type Reply } from "@/lib/operations/operation";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { acceptsGzip, generatedStream } from "@/lib/operations/reading/generated-stream";
import { locateChosen, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { recordFileDownload } from "@/lib/operations/reading/record-download";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { proveBlob } from "@/lib/storage/read-blob";
import type { TableVersion } from "@/lib/store/datasets/tables";

interface Answer {
  version: TableVersion;
  tag: string;
  isCompressed: boolean;
  /** Absent for replies without a body. */
  lines?: AsyncIterable<Buffer>;
  kind: "whole" | "head" | "not_modified";
}

/** GET a whole table as CSV from the signed-in person's own browser. */
export const downloadCsvInBrowser = operation({
  name: "download_csv_in_browser",
  summary: "Download a table as CSV in your own browser",
  description:
    "All rows of the table's current version as CSV, in stored order and in the form of CSV pages, for the " +
    "service's own pages. The Parquet file is verified against its recorded SHA-256 before the first byte is sent. " +
    "The session is the credential, the download counts against your quota, and the dataset is connected to the " +
    "workspace. Requests from other sites are rejected.",
  access: "own_browser",
  quota: "own",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/tables/{table_id}/current.csv" },
  input: { path: tablePathSchema.extend(workspacePathSchema.shape), query: downloadCurrent.input.query },
  output: { mediaType: CSV_FORMAT.media },
  errors: downloadCurrent.errors ?? [],
  replyHeaders: {
    ETag: "Strong ETag of the version and the encoding.",
    "Content-Digest": "RFC 9530 digest of the bytes sent, as a trailer.",
    "X-Service-Source-Digest": "Digest of the Parquet file that the rows come from, as sha256:<hex>.",
    "Content-Disposition": "File name: the dataset, table and version.",
    "Content-Encoding": "gzip, if the request accepts it.",
    Link: 'The dataset\'s page, rel="cite-as".',
  },
  locate: locateFile,
  async run({ query, located: current }, ctx): Promise<Answer> {
    const version = await locateChosen(current, query, "?", ctx.now());
    requireDownloadable(version.bytes);
    connectOnRead(ctx, version);
    const isCompressed = acceptsGzip(ctx.header("accept-encoding") ?? "");
    const tag = `"csv-${isCompressed ? "gzip-" : ""}${version.digest}"`;
    const answer = { version, tag, isCompressed };
    if (isUnchanged(ctx, tag)) return { ...answer, kind: "not_modified" };
    if (ctx.method === "HEAD") return { ...answer, kind: "head" };
    await proveBlob(version, ctx.signal);
    if (isLight(ctx)) await takeDownload(ctx);
    const caller = { subject: querySubject(ctx), signal: ctx.signal };
    return { ...answer, kind: "whole", lines: csvTable(await ctx.engine(), sealedVersion(version), caller) };
  },
  reply: (answer, ctx) => ({
    status: answer.kind === "not_modified" ? 304 : 200,
    headers: headersOf(answer, ctx),
    body: answer.lines ? bodyOf(answer, answer.lines, ctx) : { kind: "none" },
  }),
});

function headersOf({ version, tag, isCompressed, kind }: Answer, ctx: Context): Record<string, string> {
  const always = {
    etag: tag,
    vary: "Accept-Encoding",
    "cache-control": "private, no-cache",
    link: `<${datasetPage(ctx.baseUrl, version.datasetSlug)}>; rel="cite-as"`,
  };
  if (kind === "not_modified") return always;
  const name = `${version.datasetSlug}-${version.tableSlug}-${version.versionId.slice(0, 8)}.${CSV_FORMAT.extension}`;
  return {
    ...always,
    "content-type": CSV_FORMAT.contentType ?? CSV_FORMAT.media,
    "content-disposition": `attachment; filename="${name}"`,
    "x-service-source-digest": `sha256:${version.digest}`,
    ...(isCompressed && { "content-encoding": "gzip" }),
    ...(kind === "whole" && { trailer: "Content-Digest" }),
  };
}

function bodyOf({ version, isCompressed }: Answer, lines: AsyncIterable<Buffer>, ctx: Context): Reply["body"] {
  const path = browserTable("", workspaceOf(ctx) ?? "", version.tableId, "current.csv");
  return {
    kind: "stream",
    ...generatedStream(lines, isCompressed),
    onSent: ({ complete }) => void (complete && recordFileDownload(version, path, ctx)),
  };
}
