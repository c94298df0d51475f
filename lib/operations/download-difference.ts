import { createHash } from "node:crypto";
import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { takeDownload } from "@/lib/access/quotas";
import { datasetPage } from "@/lib/describe/links";
import { versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { CSV_FORMAT } from "@/lib/formats/page-formats";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { requireDownloadable } from "@/lib/limits/download-size";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { type DifferenceFile, differenceFile } from "@/lib/operations/reading/difference-file";
import { acceptsGzip } from "@/lib/operations/reading/generated-stream";
import { locateNamed, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { recordFileDownload } from "@/lib/operations/reading/record-download";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { downloadCurrent, isLight, locateFile } from "./download-current";
import { operation, type Reply } from "./operation";

const querySchema = z.strictObject({
  from: versionNameSchema.describe("The version to compare with, usually the older: UUID, label or number."),
  to: versionNameSchema.describe("The other version: UUID, label or number."),
});

const FORMATS = {
  csv: { media: CSV_FORMAT.media, type: CSV_FORMAT.contentType ?? CSV_FORMAT.media, label: "CSV" },
  parquet: { media: PARQUET_MEDIA, type: PARQUET_MEDIA, label: "Parquet" },
} as const;

type Format = keyof typeof FORMATS;

interface Answer {
  format: Format;
  from: TableVersion;
  to: TableVersion;
  tag: string;
  isCompressed: boolean;
  kind: "whole" | "head" | "not_modified";
  /** Absent for replies without a body. */
  file?: DifferenceFile;
}

/** GET every row that differs between two versions, as a file of one format. */
function differenceDownload(name: string, format: Format) {
  return operation({
    name,
    summary: `Download a difference as ${FORMATS[format].label}`,
    description:
      "Every row that differs between two immutable versions, in the columns that both have with the same type, as " +
      `${FORMATS[format].label}. \`change\` is added, removed, changed_from or changed_to: a changed row is listed ` +
      "twice, before and after the change, and `changed_columns` names what differs. Versions without a common " +
      "primary key are compared by whole rows; `times` then says how many more copies of a row one version has. " +
      "Both files are verified first. Counts as one download.",
    access: "download",
    quota: "own",
    http: { method: "GET", path: `/api/v2/public/tables/{table_id}/versions/difference.${format}` },
    input: { path: tablePathSchema, query: querySchema },
    output: { mediaType: FORMATS[format].media },
    errors: [...(downloadCurrent.errors ?? []), "result_too_large", "query_timeout"],
    replyHeaders: {
      ETag: "Strong ETag of both versions and the format.",
      "Content-Digest": `RFC 9530 digest of the bytes sent${format === "csv" ? ", as a trailer" : ""}.`,
      "Content-Disposition": "File name: the dataset, the table and both versions.",
      ...(format === "csv" && { "Content-Encoding": "gzip, if the request accepts it." }),
      Link: 'The dataset\'s page, rel="cite-as".',
    },
    locate: locateFile,
    async run({ query, located: current }, ctx): Promise<Answer> {
      const from = await locateNamed(current, query.from, "?from");
      const to = await locateNamed(current, query.to, "?to");
      requireDownloadable(Math.max(from.bytes, to.bytes));
      connectOnRead(ctx, to);
      const isCompressed = format === "csv" && acceptsGzip(ctx.header("accept-encoding") ?? "");
      const answer = {
        format,
        from,
        to,
        isCompressed,
        tag: tagOf(from, to, `${format}${isCompressed ? " gzip" : ""}`),
      };
      if (isUnchanged(ctx, answer.tag)) return { ...answer, kind: "not_modified" };
      if (ctx.method === "HEAD") return { ...answer, kind: "head" };
      if (isLight(ctx)) await takeDownload(ctx);
      return { ...answer, kind: "whole", file: await differenceFile(from, to, { format, isCompressed }, ctx) };
    },
    reply: (answer, ctx) => ({
      status: answer.kind === "not_modified" ? 304 : 200,
      headers: headersOf(answer, ctx),
      body: bodyOf(answer, ctx),
    }),
  });
}

const tagOf = (from: TableVersion, to: TableVersion, form: string): string =>
  `"difference-${createHash("sha256").update([from.versionId, to.versionId, form].join("\n")).digest("hex")}"`;

function headersOf({ format, from, to, tag, isCompressed, kind, file }: Answer, ctx: Context): Record<string, string> {
  const always = {
    etag: tag,
    ...(format === "csv" && { vary: "Accept-Encoding" }),
    "cache-control": "private, no-cache",
    link: `<${datasetPage(ctx.baseUrl, to.datasetSlug)}>; rel="cite-as"`,
  };
  if (kind === "not_modified") return always;
  const name = `${to.datasetSlug}-${to.tableSlug}-${from.versionId.slice(0, 8)}-to-${to.versionId.slice(0, 8)}`;
  return {
    ...always,
    "content-type": FORMATS[format].type,
    "content-disposition": `attachment; filename="${name}.${format}"`,
    ...(isCompressed && { "content-encoding": "gzip" }),
    ...(file?.digest && { "content-digest": `sha-256=:${Buffer.from(file.digest, "hex").toString("base64")}:` }),
    ...(file?.trailers && { trailer: "Content-Digest" }),
  };
}

function bodyOf({ format, from, to, file }: Answer, ctx: Context): Reply["body"] {
  if (!file) return { kind: "none" };
  const { stream, sizeBytes, trailers } = file;
  const path = `/tables/${to.tableId}/versions/difference.${format}?from=${from.versionId}`;
  return {
    kind: "stream",
    stream,
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(trailers && { trailers }),
    onSent: ({ bytes, complete }) => void (complete && recordFileDownload({ ...to, bytes }, path, ctx)),
  };
}

/** GET the difference as Parquet, with a use key. */
export const downloadDifference = differenceDownload("download_difference", "parquet");

/** The same as CSV. */
export const downloadDifferenceCsv = differenceDownload("download_difference_csv", "csv");
