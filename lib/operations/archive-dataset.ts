import { createHash } from "node:crypto";
import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { requireRoom, takeDownload, takeMetadataRequest } from "@/lib/access/quotas";
import { archiveTexts, tablePath } from "@/lib/describe/archive-files";
import { datasetArchive, datasetPage } from "@/lib/describe/links";
import { presentColumns } from "@/lib/describe/present-columns";
import { sealedFacts } from "@/lib/describe/sealed-facts";
import { type Archive, type ArchiveEntry, zipArchive } from "@/lib/formats/archive";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { connectOnRead } from "@/lib/operations/reading/connect-on-read";
import { matchesTag } from "@/lib/operations/reading/if-none-match";
import { noteDownload } from "@/lib/operations/reading/note-download";
import { blobStream, proveBlob } from "@/lib/storage/read-blob";
import type { DatasetRecord } from "@/lib/store/catalogue";
import { findTableVersion, profilesJson, type TableVersion } from "@/lib/store/tables";
import { locateDataset, presentWholeDataset, slugPathSchema } from "./get-dataset";
import { presentVersion } from "./get-schema";
import { operation, type Reply } from "./operation";

const ZIP_TYPE = "application/zip";

interface Answer {
  kind: "whole" | "head" | "not_modified";
  slug: string;
  tag: string;
  versions: readonly TableVersion[];
  archive?: Archive;
}

/** GET one dataset as a ZIP archive: the Parquet files of all its tables and their metadata. */
export const archiveDataset = operation({
  name: "archive_dataset",
  summary: "Download a dataset as a ZIP archive",
  description:
    "The current versions of all tables of the dataset as one ZIP archive: Parquet files, schemas, " +
    "datapackage.json with paths and SHA-256, README.md, licence and citation. Files are stored without further " +
    "compression, the length is known in advance, and the same versions always give the same bytes. Every file " +
    "is verified against its recorded SHA-256 before the first byte is sent. Counts as one download per table.",
  access: "use_key",
  quota: "own",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}/archive.zip" },
  input: { path: slugPathSchema },
  output: { mediaType: ZIP_TYPE },
  errors: ["artifact_too_large", "integrity_failure", "busy", "storage_timeout"],
  replyHeaders: {
    ETag: "Strong ETag of the archive's contents.",
    "Content-Length": "Length of the archive in bytes.",
    "Content-Disposition": "File name: the dataset and its publication date.",
    Link: 'The dataset\'s page, rel="cite-as".',
  },
  async locate({ slug }, ctx) {
    requireRoom(ctx);
    if (isLight(ctx)) await takeMetadataRequest(ctx);
    else await takeDownload(ctx);
    return locateDataset(slug, workspaceOf(ctx));
  },
  async run({ located: record }, ctx): Promise<Answer> {
    const versions = await versionsOf(record, ctx);
    if (versions.reduce((sum, { bytes }) => sum + bytes, 0) > env().ARTIFACT_BYTES) throw fail("artifact_too_large");
    for (const version of versions.slice(0, 1)) connectOnRead(ctx, version);
    const entries = entriesOf(await textsOf(record, versions, ctx), versions);
    const answer = { slug: record.slug, tag: tagOf(entries, versions), versions };
    if (matchesTag(ctx.header("if-none-match"), answer.tag)) return { ...answer, kind: "not_modified" };
    const at = record.publishedAt ?? record.createdAt;
    if (ctx.method === "HEAD") return { ...answer, kind: "head", archive: await zipArchive(entries, at) };
    for (const version of versions) await proveBlob(version, ctx.signal);
    for (const _ of versions.slice(isLight(ctx) ? 0 : 1)) await takeDownload(ctx); // a failed proof takes no more
    return { ...answer, kind: "whole", archive: await zipArchive(entries, at) };
  },
  reply(answer, ctx): Reply {
    const { kind, tag, slug, archive, versions } = answer;
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
      "content-disposition": `attachment; filename="${slug}-${newest.slice(0, 10)}.zip"`,
    };
    if (kind === "head") {
      archive.stream.destroy();
      return { status: 200, headers: { ...more, "content-length": String(archive.sizeBytes) }, body: { kind: "none" } };
    }
    const onSent = ({ complete }: { complete: boolean }) => {
      for (const version of complete ? versions : []) noteDownload(version, datasetArchive("", slug), ctx);
    };
    return { status: 200, headers: more, body: { kind: "stream", ...archive, onSent } };
  },
});

/** Requests that may end without an archive count against the address first, as with a table's file. */
const isLight = (ctx: Context): boolean => ctx.method === "HEAD" || ctx.header("if-none-match") !== null;

/** The versions that the record names: a publication in the meantime changes nothing. */
async function versionsOf(record: DatasetRecord, ctx: Context): Promise<TableVersion[]> {
  const found = await Promise.all(
    record.tables.map(({ id, currentVersionId }) =>
      findTableVersion(id, { workspaceId: workspaceOf(ctx), versionId: currentVersionId ?? undefined }),
    ),
  );
  return found.map((version) => {
    if (!version || version.withdrawnAt) throw fail("not_found"); // withdrawn since the record was read
    return version;
  });
}

async function textsOf(record: DatasetRecord, versions: readonly TableVersion[], ctx: Context) {
  const dataset = await presentWholeDataset(record, ctx);
  const schemas = await Promise.all(
    versions.map(async (version) => ({
      slug: version.tableSlug,
      schema: {
        schema_version: "service-public-table-schema.v1" as const,
        table: presentVersion(version),
        columns: presentColumns(version.columns, await profilesJson(version.versionId)),
      },
    })),
  );
  const { default: licenseTexts } = await import("spdx-license-list/full.js"); // 5 MB: loaded by the first archive
  return archiveTexts(dataset, schemas, sealedFacts(record), licenseTexts);
}

function entriesOf(texts: Record<string, string>, versions: readonly TableVersion[]): ArchiveEntry[] {
  const [folder] = versions.map(({ datasetSlug }) => datasetSlug);
  const files = versions.map((version) => ({
    name: `${folder}/${tablePath(version.tableSlug)}`,
    sizeBytes: version.bytes,
    open: () => blobStream(version),
  }));
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name: `${folder}/${name}`, bytes: Buffer.from(text) })),
    ...files,
  ];
}

function tagOf(entries: readonly ArchiveEntry[], versions: readonly TableVersion[]): string {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(`${entry.name}\n`).update("bytes" in entry ? entry.bytes : "");
  for (const { digest, publishedAt } of versions) hash.update(`${digest} ${publishedAt.toISOString()}\n`);
  return `"zip-${hash.digest("hex").slice(0, 40)}"`;
}
