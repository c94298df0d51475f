import type { Readable } from "node:stream";
import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { requireRoom, takeDownload, takeMetadataRequest } from "@/lib/access/quotas";
import { ARCHIVE_FORMS, type ArchiveForm } from "@/lib/describe/archive-files";
import { datasetArchive, datasetPage } from "@/lib/describe/links";
import { type Archive, zipArchive } from "@/lib/formats/archive";
import { fail } from "@/lib/kernel/errors";
import { requireDownloadable } from "@/lib/limits/download-size";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { recordFileDownload } from "@/lib/operations/reading/record-download";
import { proveBlob } from "@/lib/storage/read-blob";
import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";
import { findTableVersion, type TableVersion } from "@/lib/store/datasets/tables";
import { archiveEntries, archiveTag } from "./archive-entries";
import { locateDataset, slugPathSchema } from "./get-dataset";
import { operation, type Reply } from "./operation";

const ZIP_TYPE = "application/zip";

const querySchema = z.strictObject({
  format: z.enum(ARCHIVE_FORMS).default("parquet").describe("The format of the tables: parquet or csv."),
});

interface Answer {
  kind: "whole" | "head" | "not_modified";
  form: ArchiveForm;
  slug: string;
  tag: string;
  versions: readonly TableVersion[];
  archive?: Archive;
}

/** GET one dataset as a ZIP archive: all its tables and their metadata. */
export const archiveDataset = operation({
  name: "archive_dataset",
  summary: "Download a dataset as a ZIP archive",
  description:
    "The current versions of all tables of the dataset as one ZIP archive: Parquet files, schemas, " +
    "datapackage.json with paths and SHA-256, SHA256SUMS, README.md, licence and citation. Files are stored " +
    "without further compression, the length is known in advance, and the same versions always give the same " +
    "bytes. With `format=csv` the tables are CSV, written and compressed while they are sent: the length is not " +
    "known in advance, and datapackage.json and SHA256SUMS are the last files, with the SHA-256 of each CSV file " +
    "and, in datapackage.json, of the Parquet file that it was made from. Every Parquet file is verified against " +
    "its recorded SHA-256 before the first byte is sent. Counts as one download per table.",
  access: "download",
  quota: "own",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}/archive.zip" },
  input: { path: slugPathSchema, query: querySchema },
  output: { mediaType: ZIP_TYPE },
  errors: ["invalid_value", "artifact_too_large", "integrity_failure", "busy", "storage_timeout"],
  replyHeaders: {
    ETag: "Strong ETag of the archive's contents.",
    "Content-Length": "Length of the archive in bytes; absent with format=csv.",
    "Content-Disposition": "File name: the dataset and its publication date.",
    Link: 'The dataset\'s page, rel="cite-as".',
  },
  async locate({ slug }, ctx) {
    requireRoom(ctx);
    if (isLight(ctx)) await takeMetadataRequest(ctx);
    else await takeDownload(ctx);
    return locateDataset(slug, readerOf(ctx));
  },
  run: ({ query, located }, ctx) => answerOf(located, query.format, ctx),
  reply: (answer, ctx) => replyOf(answer, ctx),
});

async function answerOf(record: DatasetRecord, form: ArchiveForm, ctx: Context): Promise<Answer> {
  const versions = await versionsOf(record, ctx);
  requireDownloadable(versions.reduce((sum, { bytes }) => sum + bytes, 0));
  for (const version of versions.slice(0, 1)) connectOnRead(ctx, version);
  const entries = await archiveEntries(record, versions, form, ctx);
  const answer = { form, slug: record.slug, tag: archiveTag(entries, versions), versions };
  if (isUnchanged(ctx, answer.tag)) return { ...answer, kind: "not_modified" };
  const at = record.publishedAt ?? record.createdAt;
  if (ctx.method === "HEAD") return { ...answer, kind: "head", archive: await zipArchive(entries, at) };
  for (const version of versions) await proveBlob(version, ctx.signal);
  for (const _ of versions.slice(isLight(ctx) ? 0 : 1)) await takeDownload(ctx); // a failed verification counts nothing
  return { ...answer, kind: "whole", archive: await zipArchive(entries, at) };
}

function replyOf(answer: Answer, ctx: Context): Reply {
  const { kind, form, tag, slug, archive, versions } = answer;
  const headers = {
    etag: tag,
    "cache-control": "private, no-cache",
    link: `<${datasetPage(ctx.baseUrl, slug)}>; rel="cite-as"`,
  };
  if (!archive) return { status: 304, headers, body: { kind: "none" } };
  const newest =
    versions
      .map(({ publishedAt }) => publishedAt.toISOString())
      .sort()
      .at(-1) ?? "";
  const more = {
    ...headers,
    "content-type": ZIP_TYPE,
    "content-disposition": `attachment; filename="${slug}-${newest.slice(0, 10)}${form === "csv" ? "-csv" : ""}.zip"`,
  };
  const { stream, sizeBytes } = archive;
  if (kind === "head") {
    stream.destroy();
    const length = sizeBytes === undefined ? {} : { "content-length": String(sizeBytes) };
    return { status: 200, headers: { ...more, ...length }, body: { kind: "none" } };
  }
  return { status: 200, headers: more, body: bodyOf(archive, answer, ctx) };
}

function bodyOf({ stream, sizeBytes }: { stream: Readable; sizeBytes?: number }, answer: Answer, ctx: Context) {
  const { form, slug, versions } = answer;
  const path = `${datasetArchive("", slug)}${form === "csv" ? "?format=csv" : ""}`;
  const onSent = ({ complete }: { complete: boolean }) => {
    for (const version of complete ? versions : []) recordFileDownload(version, path, ctx);
  };
  return { kind: "stream" as const, stream, ...(sizeBytes !== undefined && { sizeBytes }), onSent };
}

/** Requests that may end without an archive count against the address first, as with a table's file. */
const isLight = (ctx: Context): boolean =>
  ctx.method === "HEAD" || ["if-match", "if-none-match"].some((name) => ctx.header(name) !== null);

/** The versions that the record names, whatever is published in the meantime. */
async function versionsOf(record: DatasetRecord, ctx: Context): Promise<TableVersion[]> {
  const found = await Promise.all(
    record.tables.map(({ id, currentVersionId }) =>
      findTableVersion(id, { reader: readerOf(ctx), versionId: currentVersionId ?? undefined }),
    ),
  );
  return found.map((version) => {
    if (!version || version.withdrawnAt) throw fail("not_found"); // withdrawn since the record was read
    return version;
  });
}
