import { buildReadCopy } from "@/lib/engine/duckdb/read-copy";
import { env } from "@/lib/env";
import { fail, failWith } from "@/lib/errors";
import { type PublishReceipt, type PublishRequest, publishRequestSchema } from "@/lib/schemas/publish";
import type { Change } from "@/lib/schemas/table";
import { blobSize, hashFile, storeBlob } from "@/lib/storage/blobs";
import { proveCopy } from "@/lib/storage/copy-proof";
import { blobPath, copyPath, tempDir } from "@/lib/storage/paths";
import { type Author, OPERATOR } from "@/lib/store/audit";
import { checkAskedAccess } from "@/lib/store/dataset-access";
import {
  type CurrentVersion,
  findCurrentVersion,
  type NewVersion,
  type Recorded,
  recordPublication,
  withTableLock,
} from "@/lib/store/versions";
import { changeBetween } from "./change";
import { completeNotes, completeRequest } from "./complete-request";
import { planReading } from "./plan-reading";
import { proveKey } from "./primary-key";
import { profileStage } from "./profile";
import { explainResources } from "./refusal";
import { type SealedFile, sealStage } from "./seal";
import { openSource } from "./source-file";
import { fillStage, type Stage } from "./stage";
import { type Workbench, withWorkbench } from "./workbench";

export interface PublishContext {
  now(): Date;
  /** Told what is being done, a short line at a time. */
  progress?(text: string): void;
  /** Who publishes, for the audit log; the administrator when absent. */
  author?: Author;
  /** The version that the file was made from: `conflict` when another one is current by then. */
  madeFrom?: string;
}

type CheckedRequest = ReturnType<typeof checkRequest>;

/**
 * Publishes one file as the table's current version: reads it, seals it as Parquet under its digest, and records it in
 * one transaction.
 * Only what the request gives changes. Content equal to the current version's makes no new one. Killed at any point, it leaves the old version current.
 * Refuses with `invalid_request` (the file's shape) or `invalid_value` (a value, with its row).
 */
export async function publishTable(request: PublishRequest, ctx: PublishContext): Promise<PublishReceipt> {
  const checked = checkRequest(request);
  await checkAskedAccess(checked.dataset);
  try {
    const { receipt, columns } = await withWorkbench((bench) => publishWith(bench, checked, ctx));
    if (receipt.outcome === "published") await copyForReading(receipt, columns, ctx);
    return receipt;
  } catch (error) {
    throw explainResources(error);
  }
}

function checkRequest(request: PublishRequest) {
  const parsed = publishRequestSchema.safeParse(request);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map((issue) => ({ place: issue.path.map(String), message: issue.message }));
  throw failWith(
    places.map(({ place, message }) => ({
      pointer: `/${place.join("/")}`,
      code: "invalid_request",
      message: `${place.join(".")}: ${message}`,
    })),
  );
}

interface Outcome {
  receipt: PublishReceipt;
  columns: number;
}

async function publishWith(bench: Workbench, request: CheckedRequest, ctx: PublishContext): Promise<Outcome> {
  const complete = await completeRequest(request);
  ctx.progress?.("reading");
  const source = await openSource(request.file, request.format, bench.folder);
  const reading = await planReading(bench, source, request.columns, complete);
  const stage = await fillStage(bench, reading);
  await proveKey(bench, stage, complete.primaryKey);
  ctx.progress?.(`sealing ${stage.rows} rows`);
  const names = stage.columns.map(({ name }) => name);
  const notes = completeNotes(names, request.columns, complete.kept);
  const sealed = await sealStage(bench, stage, complete, notes, complete.orderBy, complete.primaryKey);
  const publishedAt = request.publishedAt ?? ctx.now();
  const receipt = await withTableLock(request.dataset.slug, request.table.slug, async () => {
    const current = await findCurrentVersion(request.dataset.slug, request.table.slug);
    refuseOvertaken(current, ctx);
    const change = current ? await changeSince(bench, current, sealed) : "first";
    if (current && change === undefined)
      return receiptOf(request, await recordPublication(request, current.versionId, authorOf(ctx)), current, null);
    ctx.progress?.("profiling");
    const { orderBy } = complete;
    return await recordNew(bench, request, { stage, sealed, orderBy, change: change ?? "first", publishedAt }, ctx);
  });
  return { receipt, columns: sealed.columns.length };
}

const authorOf = ({ author }: PublishContext): Author => author ?? OPERATOR;

function refuseOvertaken(current: CurrentVersion | undefined, { madeFrom }: PublishContext): void {
  if (madeFrom !== undefined && current?.versionId !== madeFrom)
    throw fail("conflict", { message: "Another version became current meanwhile; nothing was changed. Run it again." });
}

/**
 * Against a current version whose blob is lost or damaged nothing can be compared: equal bytes mend it, others restate
 * it.
 */
async function changeSince(bench: Workbench, current: CurrentVersion, sealed: SealedFile): Promise<Change | undefined> {
  const { digest } = await hashFile(sealed.path);
  if (digest === current.digest) {
    await storeBlob(sealed.path);
    return undefined;
  }
  if ((await blobSize(current.digest)) !== current.bytes) return "restated";
  return await changeBetween(bench, { ...current, path: blobPath(current.digest) }, sealed);
}

async function recordNew(
  bench: Workbench,
  request: CheckedRequest,
  made: { stage: Stage; sealed: SealedFile; orderBy: readonly string[]; change: Change; publishedAt: Date },
  ctx: PublishContext,
): Promise<PublishReceipt> {
  const { change, publishedAt, orderBy } = made;
  const { columns, rows, primaryKey } = made.sealed;
  const profilesJson = await profileStage(bench, made.stage);
  const blob = await storeBlob(made.sealed.path);
  const version: NewVersion = {
    ...blob,
    rows,
    columns,
    profilesJson,
    orderBy,
    primaryKey,
    change,
    publishedAt,
  };
  return receiptOf(request, await recordPublication(request, version, authorOf(ctx)), version, change);
}

function receiptOf(
  request: CheckedRequest,
  ids: Recorded,
  version: { digest: string; rows: number; bytes: number },
  change: Change | null,
): PublishReceipt {
  const names = { dataset: request.dataset.slug, table: request.table.slug };
  const made = { content_digest: `sha256:${version.digest}`, rows: version.rows, bytes: version.bytes, change };
  return {
    outcome: change === null ? "unchanged" : "published",
    ...names,
    table_id: ids.tableId,
    version_id: ids.versionId,
    ...made,
  };
}

/** The version stands without its read copy: the engine makes one when it is first asked for and there is none. */
async function copyForReading(receipt: PublishReceipt, columns: number, ctx: PublishContext): Promise<void> {
  const { READ_COPIES_MB, QUERY_MEMORY_MB, QUERY_THREADS } = env();
  if (READ_COPIES_MB === 0) return;
  ctx.progress?.("making the read copy");
  const digest = receipt.content_digest.slice("sha256:".length);
  const resources = { tempDir: tempDir(), memoryMb: QUERY_MEMORY_MB, threads: QUERY_THREADS };
  await buildReadCopy({
    parquetPath: blobPath(digest),
    copyPath: copyPath(digest),
    columns,
    proof: { digest, prove: proveCopy },
    ...resources,
  }).catch(() => undefined);
}
