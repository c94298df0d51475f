import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PlannedPart, PlannedSource } from "@/lib/builds/plan";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { env } from "@/lib/kernel/env";
import { fileDigest } from "@/lib/kernel/file-digest";
import type { PackageSource, RecipeSource, UploadSource } from "@/lib/schemas/recipe-source";
import { addressesOf } from "@/lib/sources/addresses-of";
import { type PackageRead, type PackageReading, readPackage } from "@/lib/sources/package-source";
import type { ReadingContext } from "@/lib/sources/read-source";
import { takeSnapshot } from "@/lib/sources/snapshots";
import { SourceFailure } from "@/lib/sources/source-failure";
import { blobStore } from "@/lib/storage/blob-store";
import { withProvenPath } from "@/lib/storage/read-blob";
import type { TableVersion } from "@/lib/store/datasets/tables";
import type { StoredRun } from "@/lib/store/runs/runs";
import { recordLocalRead } from "@/lib/store/sources/source-reads";
import { findSourceVersion } from "@/lib/store/sources/source-tables";
import { findListedLicences } from "@/lib/store/sources/sources";
import { findUpload, recordUploadRead, type StoredUpload } from "@/lib/store/sources/uploads";
import { cleanText, RunFailure, runFailureOf } from "@/lib/worker/runs/run-failure";
import { readHttp } from "./http-source";
import { readInstalled } from "./installed-package";
import {
  contextOf,
  failedRead,
  limitsOf,
  msSince,
  type Piece,
  partOf,
  type Reading,
  type ReadParts,
  recordRead,
} from "./reading";

/** Brings the bytes of all sources into the run's folder, one source after another. Throws named `RunFailure`s. */
export async function readSources(reading: Reading): Promise<PlannedSource[]> {
  const { replayed } = reading.material;
  if (replayed) return await replaySources(reading, replayed);
  const planned: PlannedSource[] = [];
  for (const [at, source] of reading.material.document.recipe.sources.entries()) {
    reading.pulse.signal.throwIfAborted();
    planned.push({
      name: source.name,
      ordinal: at + 1,
      ...(await namedParts(source, await withLicence(source, reading))),
    });
  }
  return planned;
}

async function withLicence(source: RecipeSource, reading: Reading): Promise<Reading> {
  const [listed] = await findListedLicences(addressesOf(source));
  return { ...reading, listedLicence: listed?.license };
}

async function namedParts(source: RecipeSource, reading: Reading): Promise<ReadParts> {
  try {
    return await partsOf(source, reading);
  } catch (error) {
    if (error instanceof SourceFailure) throw runFailureOf(error, source.name);
    throw error;
  } finally {
    await reading.budget.record();
  }
}

async function partsOf(source: RecipeSource, reading: Reading): Promise<ReadParts> {
  switch (source.kind) {
    case "http":
      return await readHttp(source, reading);
    case "table":
      return { parts: await copyTable(source, reading) };
    case "package":
      return { parts: await readPackageSource(source, reading) };
    case "upload":
      return { parts: await copyUpload(source, reading) };
  }
}

type TableSource = Extract<RecipeSource, { kind: "table" }>;

/** Copies a published table that the workspace may read into the run's folder. */
export async function copyTable(source: TableSource, reading: Reading): Promise<PlannedPart[]> {
  const { material, folder, say } = reading;
  const piece: Piece = { source: source.name, partition: null, requestKey: source.table, draft: "" };
  const startedAt = performance.now();
  const version = await versionToRead(source, material).catch(async (error: unknown) => {
    throw await failedRead(error, piece, msSince(startedAt), reading);
  });
  const file = join("raw", version.digest);
  await withProvenPath(version, (path) => copyFile(path, join(folder, file), constants.COPYFILE_FICLONE));
  const { digest, bytes } = version;
  const about = { ...partOf(piece, reading), runId: material.run.id, now: new Date(), ms: msSince(startedAt) };
  const how = await recordLocalRead({ ...about, digest, bytes, mediaType: PARQUET_MEDIA });
  const name = `${version.datasetSlug}/${version.tableSlug}`;
  const message = cleanText(`${source.name}: version ${version.versionId} of ${name}, ${version.rows} rows`);
  const data = { source: source.name, version_id: version.versionId, bytes, how };
  await say({ kind: how === "same_bytes" ? "source_unchanged" : "source_read", message, data });
  return [{ partition: null, file }];
}

/** The version to read. Throws table_missing, or source_too_large or rows_exceeded beyond the source's own limits. */
export async function versionToRead(
  source: Pick<TableSource, "name" | "table" | "version" | "limits">,
  { run, mode }: { run: { workspaceId: string }; mode: "sample" | "full" },
): Promise<TableVersion> {
  const { name, table, limits } = source;
  const found = await findSourceVersion(source, run.workspaceId);
  if (!found) throw new RunFailure("table_missing", `Source ${name}: the workspace cannot read a table ${table}.`);
  const { download_bytes: bytes = Infinity, rows = Infinity } = limits ?? {};
  const beyond = (code: "source_too_large" | "rows_exceeded", detail: string) =>
    new RunFailure(code, `Source ${name}: ${detail}.`, { source: name });
  if (found.bytes > bytes) throw beyond("source_too_large", `${found.bytes} bytes, more than ${bytes}`);
  if (mode === "full" && found.rows > rows) throw beyond("rows_exceeded", `${found.rows} rows, more than ${rows}`);
  return found;
}

/** Copies the newest upload with a name, or the one that the recipe names, into the run's folder. */
export async function copyUpload(source: UploadSource, reading: Reading): Promise<PlannedPart[]> {
  const { material, folder, say } = reading;
  const piece: Piece = { source: source.name, partition: null, requestKey: source.upload, draft: "" };
  const startedAt = performance.now();
  const failed = async (error: unknown) => {
    throw await failedRead(error, piece, msSince(startedAt), reading);
  };
  const upload = await uploadOf(source, material.run.workspaceId).catch(failed);
  const { digest, bytes } = { digest: upload.digest, bytes: Number(upload.bytes) };
  const file = join("raw", digest);
  await withProvenPath({ digest, bytes }, (path) =>
    copyFile(path, join(folder, file), constants.COPYFILE_FICLONE),
  ).catch(failed);
  await recordUploadRead(upload.id, new Date());
  const about = { ...partOf(piece, reading), runId: material.run.id, now: new Date(), ms: msSince(startedAt) };
  const how = await recordLocalRead({ ...about, digest, bytes, mediaType: upload.mediaType });
  const kind = how === "same_bytes" ? "source_unchanged" : "source_read";
  const stored = upload.at.toISOString().slice(0, 16).replace("T", " ");
  const change = how.replaceAll("_", " ");
  const message = `${source.name}: the upload ${upload.name} of ${stored} UTC, ${bytes} bytes, ${change}`;
  await say({ kind, message: cleanText(message), data: { source: source.name, bytes, how } });
  return [{ partition: null, file }];
}

/** The upload that a source reads. Throws upload_missing, or source_too_large beyond the source's own limit. */
export async function uploadOf(
  { name, upload, digest, limits }: UploadSource,
  workspaceId: string,
): Promise<StoredUpload> {
  const found = await findUpload(workspaceId, upload, digest?.slice("sha256:".length));
  if (!found) {
    const which = digest === undefined ? "" : ` with ${digest}`;
    throw new RunFailure("upload_missing", `Source ${name}: the workspace has no upload ${upload}${which}.`, {
      source: name,
    });
  }
  const most = Math.min(limits?.download_bytes ?? Infinity, env().SOURCE_BYTES);
  if (Number(found.bytes) <= most) return found;
  throw new RunFailure("source_too_large", `Source ${name}: ${found.bytes} bytes, more than ${most}.`, {
    source: name,
  });
}

/** Reads a package's tarball into the run's folder. The sandbox extracts the files. */
export async function readPackageSource(source: PackageSource, reading: Reading): Promise<PlannedPart[]> {
  const path = join(reading.folder, "raw", "draft-package");
  const requestKey = JSON.stringify([source.package, source.version]);
  const piece: Piece = { source: source.name, partition: null, requestKey, draft: path };
  const startedAt = performance.now();
  const wanted = { source, registry: env().PACKAGE_REGISTRY, path, limits: limitsOf(source, reading) };
  const { installed } = reading.material;
  const reads = installed ? readInstalled(source, installed, path) : readFromRegistry(wanted, contextOf(reading));
  const read = await reads.catch(async (error: unknown) => {
    throw await failedRead(error, piece, msSince(startedAt), reading);
  });
  return [{ partition: read.version, file: await recordRead(read, piece, msSince(startedAt), reading) }];
}

type RegistryRequest = Omit<PackageReading, "registry"> & { registry: string | undefined };

/** Reads from the registry in the administrator's setting. Without one, packages cannot be read. */
export async function readFromRegistry(
  { registry, ...request }: RegistryRequest,
  context: ReadingContext,
): Promise<PackageRead> {
  if (registry !== undefined) return readPackage({ ...request, registry }, context);
  throw new SourceFailure(
    "source_refused",
    "No package registry is set. Ask your administrator to set PACKAGE_REGISTRY, or use an http source.",
  );
}

/** The bytes that a full run read, by the names kept in its plan. Throws snapshot_missing, naming the source. */
async function replaySources({ material, folder, pulse, say }: Reading, replayed: StoredRun): Promise<PlannedSource[]> {
  const { sources = [] } = replayed.plan as unknown as { sources?: PlannedSource[] };
  const planned = material.document.recipe.sources.map(({ name }, at) => {
    const recorded = sources.find((source) => source.name === name);
    if (!recorded) throw gone(name, replayed);
    return { ...recorded, ordinal: at + 1 };
  });
  for (const { name, parts } of planned) {
    pulse.signal.throwIfAborted();
    for (const { file } of parts)
      if (!(await takeStored(basename(file), join(folder, file)))) throw gone(name, replayed);
    const message = `${name}: ${parts.length} kept ${parts.length === 1 ? "file" : "files"} of run ${replayed.id}`;
    await say({ kind: "source_unchanged", message, data: { source: name, replayed: replayed.id } });
  }
  return planned;
}

/** Takes a source's snapshot, or the file of a published table, verified by its digest. */
async function takeStored(digest: string, to: string): Promise<boolean> {
  if (await takeSnapshot(digest, to)) return true;
  if (!(await blobStore().stat(digest))) return false;
  await blobStore().withLocalPath(digest, (path) => copyFile(path, to, constants.COPYFILE_FICLONE));
  return (await fileDigest(to)) === digest;
}

const gone = (source: string, { finishedAt, createdAt }: StoredRun): RunFailure => {
  const day = (finishedAt ?? createdAt).toISOString().slice(0, 10);
  return new RunFailure("snapshot_missing", `The bytes of ${source} of ${day} are gone.`, { source });
};
