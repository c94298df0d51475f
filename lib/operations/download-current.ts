import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { requireRoom, takeDownload, takeMetadataRequest, takeRange } from "@/lib/access/quotas";
import { datasetPage, tableRoute } from "@/lib/describe/links";
import { AS_OF_HELP, VERSION_HELP, versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { requireDownloadable } from "@/lib/limits/download-size";
import { type ByteRange, readRange } from "@/lib/operations/reading/byte-range";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { locateChosen, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { recordFileDownload, recordRange } from "@/lib/operations/reading/record-download";
import { openVerified } from "@/lib/storage/read-blob";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { operation, type Reply } from "./operation";

const querySchema = z.strictObject({
  version_id: versionNameSchema.optional().describe(VERSION_HELP),
  as_of: versionNameSchema.optional().describe(AS_OF_HELP),
});

type Answer = { version: TableVersion } & (
  | { kind: "not_modified" | "head" | "unsatisfiable" }
  | { kind: "whole"; blob: VerifiedBlob }
  /** `isFile`: with this range, the key's ranges of the day add up to a whole file, which counts as a download. */
  | { kind: "part"; blob: VerifiedBlob; range: ByteRange; isFile: boolean }
);

/** GET the whole Parquet file of a table's current version, verified before the first byte is sent. */
export const downloadCurrent = operation({
  name: "download_current",
  summary: "Download a table",
  description:
    "The whole Parquet file of the table's current version. The file is verified against its recorded SHA-256 " +
    "before the first byte is sent. If-None-Match avoids downloading an unchanged file; single byte ranges let " +
    "DuckDB, Polars and pyarrow read the file in place. If-Match with its ETag keeps all ranges on one version.",
  access: "download",
  quota: "own",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/current" },
  input: { path: tablePathSchema, query: querySchema },
  output: { mediaType: PARQUET_MEDIA },
  errors: ["invalid_value", "version_withdrawn", "artifact_too_large", "integrity_failure", "busy", "storage_timeout"],
  replyHeaders: {
    ETag: "Strong ETag derived from the SHA-256 of the file.",
    "Content-Digest": "RFC 9530 digest of the bytes sent.",
    "X-Service-Content-Digest": "The same digest as sha256:<hex>.",
    "Content-Disposition": "File name: the dataset, table and version.",
    "Accept-Ranges": "bytes",
    Link: 'The dataset\'s page, rel="cite-as".',
  },
  locate: locateFile,
  async run({ query, located: current }, ctx): Promise<Answer> {
    const version = await locateChosen(current, query, "?", ctx.now());
    requireDownloadable(version.bytes);
    connectOnRead(ctx, version);
    if (isUnchanged(ctx, etagOf(version))) return { kind: "not_modified", version };
    if (ctx.method === "HEAD") return { kind: "head", version };
    const range = readRange(ctx.header("range"), ctx.header("if-range"), etagOf(version), version.bytes);
    if (range === "unsatisfiable") return { kind: "unsatisfiable", version };
    if (range) {
      const isFile = await takeRange(version, lengthOf(range), ctx);
      return { kind: "part", version, range, isFile, blob: await openBlob(version, ctx, true) };
    }
    if (isLight(ctx)) await takeDownload(ctx);
    return { kind: "whole", version, blob: await openBlob(version, ctx, false) };
  },
  reply: (answer, ctx) => ({ status: STATUS[answer.kind], headers: headersOf(answer, ctx), body: bodyOf(answer, ctx) }),
});

/** The current version of the table whose file is requested. Counts the download, or the request, first. */
export async function locateFile({ table_id }: { table_id: string }, ctx: Context): Promise<TableVersion> {
  requireRoom(ctx);
  if (isLight(ctx)) await takeMetadataRequest(ctx);
  else await takeDownload(ctx);
  return locateTable(table_id, readerOf(ctx));
}

/** Requests that may end without a whole file count against the address first, like metadata requests. */
export const isLight = (ctx: Context): boolean =>
  ctx.method === "HEAD" || ["if-match", "if-none-match", "range"].some((name) => ctx.header(name) !== null);

const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

const STATUS = { not_modified: 304, head: 200, unsatisfiable: 416, whole: 200, part: 206 } as const;

const etagOf = (version: TableVersion) => `"sha256-${version.digest}"`;

const openBlob = (version: TableVersion, ctx: Context, ranged: boolean) =>
  openVerified(version, { ranged, ...(ctx.signal && { signal: ctx.signal }) });

function headersOf(answer: Answer, ctx: Context): Record<string, string> {
  const { version, kind } = answer;
  const always = {
    etag: etagOf(version),
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    link: `<${datasetPage(ctx.baseUrl, version.datasetSlug)}>; rel="cite-as"`,
  };
  if (kind === "not_modified") return always;
  if (kind === "unsatisfiable") return { ...always, "content-range": `bytes */${version.bytes}` };
  const digest = `sha-256=:${Buffer.from(version.digest, "hex").toString("base64")}:`;
  const body = {
    "content-type": PARQUET_MEDIA,
    "content-disposition":
      "attachment; " +
      `filename="${version.datasetSlug}-${version.tableSlug}-${version.versionId.slice(0, 8)}.parquet"`,
    "x-service-content-digest": `sha256:${version.digest}`,
  };
  if (kind === "part")
    return {
      ...always,
      ...body,
      "repr-digest": digest,
      "content-range": `bytes ${answer.range.start}-${answer.range.end}/${version.bytes}`,
    };
  return {
    ...always,
    ...body,
    "content-digest": digest,
    ...(kind === "head" && { "content-length": String(version.bytes) }),
  };
}

function bodyOf(answer: Answer, ctx: Context): Reply["body"] {
  const path = tableRoute("", answer.version.tableId, "current");
  if (answer.kind === "part") {
    const { blob, range, version, isFile } = answer;
    return { kind: "file", blob, range, onSent: (sent) => recordRange(version, path, { ...sent, isFile }, ctx) };
  }
  if (answer.kind === "whole")
    return {
      kind: "file",
      blob: answer.blob,
      onSent: ({ complete }) => void (complete && recordFileDownload(answer.version, path, ctx)),
    };
  return { kind: "none" };
}
