import { buildReadCopy } from "@/lib/engine/duckdb/read-copy";
import { env } from "@/lib/kernel/env";
import { fail, failWith } from "@/lib/kernel/errors";
import { openSource } from "@/lib/readers/containers/source-file";
import { planReading } from "@/lib/readers/typed/plan-reading";
import { type PublishReceipt, type PublishRequest, publishRequestSchema } from "@/lib/schemas/publish";
import type { Change } from "@/lib/schemas/table";
import { blobStore } from "@/lib/storage/blob-store";
import { hashFile } from "@/lib/storage/blobs";
import { proveCopy } from "@/lib/storage/copy-proof";
import { copyPath, tempDir } from "@/lib/storage/paths";
import { ADMINISTRATOR, type Author } from "@/lib/store/audit";
import { checkRequestedAccess } from "@/lib/store/datasets/dataset-access";
import {
  type CurrentVersion,
  findCurrentVersion,
  type Recorded,
  recordPublication,
  withTableLock,
} from "@/lib/store/datasets/versions";
import { changeBetween } from "./change";
import { type CompleteRequest, completeNotes, completeRequest } from "./complete-request";
import { proveKey } from "./primary-key";
import { profileStage } from "./profile";
import { readValuesOf } from "./read-values";
import { explained } from "./rejection";
import { type SealedFile, sealStage } from "./seal";
import { type FilledStage, fillStage, type Stage } from "./stage";
import { type Workbench, withWorkbench } from "./workbench";

export interface PublishContext {
  now(): Date;
  /** Receives progress as short lines. */
  progress?(text: string): void;
  /** The publisher for the audit log; the administrator if absent. */
  author?: Author;
  /** The version that the file was made from: fails with `conflict` if another version is current by then. */
  basedOn?: string;
}

/**
 * Publishes one file as the table's current version: reads it, seals it as Parquet under its digest, and records it in
 * one transaction. Only the given fields change. Content equal to the current version's creates no new version. If
 * killed at any point, the old version remains current. Fails with `invalid_request` (the file's shape) or
 * `invalid_value` (a value, with its row).
 */
export async function publishTable(request: PublishRequest, ctx: PublishContext): Promise<PublishReceipt> {
  const checked = checkRequest(request);
  await checkRequestedAccess(checked.dataset);
  try {
    const { receipt, columns } = await withWorkbench(async (bench) => {
      const complete = await completeRequest(checked);
      const stage = await readFile(bench, checked, complete, ctx);
      const sealed = await sealFile(bench, checked, complete, stage, ctx);
      const recorded = await record(bench, checked, { stage, sealed, orderBy: complete.orderBy }, ctx);
      return { receipt: { ...recorded, left_out: leftOutOf(stage) }, columns: sealed.columns.length };
    });
    if (receipt.outcome === "published") await copyForReading(receipt, columns, ctx);
    await readValuesOf(receipt.table_id);
    return receipt;
  } catch (error) {
    throw explained(error);
  }
}

/** A receipt without what its reader left out. */
type Recording = Omit<PublishReceipt, "left_out">;

const leftOutOf = ({ leftOut }: FilledStage): PublishReceipt["left_out"] =>
  leftOut.map(({ examples, ...entry }) => ({
    ...entry,
    examples: examples.map(({ part: _, ...location }) => location),
  }));

/** File → typed rows, every value checked. */
async function readFile(
  bench: Workbench,
  { file, format, columns }: CheckedRequest,
  complete: CompleteRequest,
  ctx: PublishContext,
): Promise<FilledStage> {
  ctx.progress?.("reading");
  const source = await openSource(file, format, bench.folder);
  const reading = await planReading(bench, source, columns, complete);
  return await fillStage(bench, reading);
}

/** Typed rows → a Parquet file that is not yet a blob. */
async function sealFile(
  bench: Workbench,
  { columns }: CheckedRequest,
  complete: CompleteRequest,
  stage: Stage,
  ctx: PublishContext,
): Promise<SealedFile> {
  await proveKey(bench, stage, complete.primaryKey);
  ctx.progress?.(`writing ${stage.rows} rows`);
  const names = stage.columns.map(({ name }) => name);
  const notes = completeNotes(names, columns, complete.currentColumns);
  return await sealStage(bench, stage, complete, notes, complete.orderBy, complete.primaryKey);
}

/** A sealed file → the table's current version, with its profiles; nothing if the content is unchanged. */
async function record(
  bench: Workbench,
  request: CheckedRequest,
  { stage, sealed, orderBy }: { stage: Stage; sealed: SealedFile; orderBy: readonly string[] },
  ctx: PublishContext,
): Promise<Recording> {
  const { dataset, table, publishedAt = ctx.now() } = request;
  const author = ctx.author ?? ADMINISTRATOR;
  return await withTableLock(dataset.slug, table.slug, async () => {
    const current = await findCurrentVersion(dataset.slug, table.slug);
    rejectOvertaken(current, ctx);
    const blob = await hashFile(sealed.path);
    const change = current ? await changeSince(bench, current, { ...sealed, digest: blob.digest }) : "first";
    if (current && change === undefined)
      return receiptOf(request, await recordPublication(request, current.versionId, author), current, null);
    ctx.progress?.("profiling");
    const profilesJson = await profileStage(bench, stage);
    const { rows, columns, primaryKey } = sealed;
    await blobStore().put(blob.digest, sealed.path);
    const content = { ...blob, rows, columns, profilesJson, orderBy, primaryKey };
    const version = { ...content, change: change ?? "first", publishedAt };
    return receiptOf(request, await recordPublication(request, version, author), version, version.change);
  });
}

function rejectOvertaken(current: CurrentVersion | undefined, { basedOn }: PublishContext): void {
  if (basedOn !== undefined && current?.versionId !== basedOn)
    throw fail("conflict", {
      message: "Another version became current in the meantime, so nothing was changed. Run the command again.",
    });
}

function receiptOf(
  request: CheckedRequest,
  ids: Recorded,
  version: { digest: string; rows: number; bytes: number },
  change: Change | null,
): Recording {
  const names = { dataset: request.dataset.slug, table: request.table.slug };
  const content = { content_digest: `sha256:${version.digest}`, rows: version.rows, bytes: version.bytes, change };
  return {
    outcome: change === null ? "unchanged" : "published",
    ...names,
    table_id: ids.tableId,
    version_id: ids.versionId,
    label: ids.label,
    ...content,
  };
}

/**
 * What a sealed file changes. Undefined if its content equals the current version's. If the current version's blob is
 * lost or damaged, nothing can be compared: equal bytes repair it, and any others count as restated.
 */
async function changeSince(
  bench: Workbench,
  current: CurrentVersion,
  sealed: SealedFile & { digest: string },
): Promise<Change | undefined> {
  const store = blobStore();
  if (sealed.digest === current.digest) {
    await store.put(current.digest, sealed.path);
    return undefined;
  }
  if ((await store.stat(current.digest))?.bytes !== current.bytes) return "restated";
  return await store.withLocalPath(current.digest, (path) => changeBetween(bench, { ...current, path }, sealed));
}

/** A request as parsed by its schema, with defaults filled in. */
type CheckedRequest = ReturnType<typeof checkRequest>;

/** Throws one failure with every fault of the request's shape. */
function checkRequest(request: PublishRequest) {
  const parsed = publishRequestSchema.safeParse(request);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.map(String), message: issue.message }));
  throw failWith(
    issues.map(({ path, message }) => ({
      pointer: `/${path.join("/")}`,
      code: "invalid_request",
      message: `${path.join(".")}: ${message}`,
    })),
  );
}

/** Builds the read copy. The version is complete without it: the engine builds one when it is first needed. */
async function copyForReading(receipt: PublishReceipt, columns: number, ctx: PublishContext): Promise<void> {
  const { READ_COPIES_MB, QUERY_MEMORY_MB, QUERY_THREADS } = env();
  if (READ_COPIES_MB === 0) return;
  ctx.progress?.("creating the read copy");
  const digest = receipt.content_digest.slice("sha256:".length);
  const resources = { tempDir: tempDir(), memoryMb: QUERY_MEMORY_MB, threads: QUERY_THREADS };
  const copy = { copyPath: copyPath(digest), columns, proof: { digest, prove: proveCopy }, ...resources };
  await blobStore()
    .withLocalPath(digest, (parquetPath) => buildReadCopy({ ...copy, parquetPath }))
    .catch(() => undefined);
}
