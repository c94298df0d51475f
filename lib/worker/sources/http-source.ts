import { join } from "node:path";
import type { PlannedPart } from "@/lib/builds/plan";
import type { HttpSource } from "@/lib/schemas/recipe-source";
import type { SourceCredential } from "@/lib/sources/credential";
import type { SourceCall } from "@/lib/sources/follow";
import { type PartitionRequest, partitionRequests } from "@/lib/sources/partition-requests";
import { readPages } from "@/lib/sources/read-pages";
import { readSource, type SourceReading } from "@/lib/sources/read-source";
import type { Asked } from "@/lib/sources/send-value";
import { hasSnapshot } from "@/lib/sources/snapshots";
import { SourceFailure } from "@/lib/sources/source-failure";
import { cleanText, RunFailure } from "@/lib/worker/runs/run-failure";
import {
  contextOf,
  failedRead,
  limitsOf,
  msSince,
  type Piece,
  type Reading,
  type ReadParts,
  recordRead,
  sourceCredential,
  storedReadOf,
  takeStoredRead,
} from "./reading";

/** Statuses that mean a source has nothing for a partition: 404 and 410. */
const MISSING: ReadonlySet<number | undefined> = new Set([404, 410]);
/** How far back a sample looks for the newest partition that exists. */
const NEWEST_TRIED = 12;

/** Reads the pieces of a source into the run's folder, oldest first. Each file, or each of its pages, is a part. */
export async function readHttp(source: HttpSource, reading: Reading): Promise<ReadParts> {
  const { now, document } = reading.material;
  const requests = partitionRequests(source, now, document.recipe.refresh?.time_zone ?? "UTC");
  return reading.material.mode === "sample" && requests.length > 2
    ? { parts: await readEnds(source, requests, reading), isPart: true }
    : { parts: await readAll(source, requests, reading) };
}

/** A sample has rows of the oldest and the newest piece, so that a change of format over the years shows. */
async function readEnds(source: HttpSource, requests: readonly PartitionRequest[], reading: Reading) {
  const [oldest] = requests;
  const first = oldest ? await readPiece(source, oldest, reading) : [];
  for (const request of requests.slice(1).slice(-NEWEST_TRIED).reverse()) {
    const parts = await readPiece(source, request, reading);
    if (parts.length > 0) return [...first, ...parts];
  }
  if (first.length > 0) return first;
  throw nothingThere(source);
}

async function readAll(source: HttpSource, requests: readonly PartitionRequest[], reading: Reading) {
  const parts: PlannedPart[] = [];
  let missing: string | null = null;
  for (const [at, request] of requests.entries()) {
    const isOld = at < requests.length - rereadOf(source, requests.length);
    const found =
      (isOld ? await storedPiece(source, request, reading) : undefined) ?? (await readPiece(source, request, reading));
    if (found.length > 0 && missing !== null && source.template?.missing === "skip_newest")
      throw new SourceFailure(
        "source_status",
        `Source ${source.name}: partition ${missing} is missing, but later ones exist.`,
      );
    if (found.length === 0) missing ??= request.partition;
    parts.push(...found);
  }
  if (parts.length === 0 && missing !== null) throw nothingThere(source);
  return parts;
}

const nothingThere = ({ name }: HttpSource): SourceFailure =>
  new SourceFailure("source_status", `Source ${name}: none of its partitions exists.`);

/** How many of the newest pieces are read again; all of them if no rule says otherwise. */
function rereadOf({ template, slices }: HttpSource, all: number): number {
  const reread = template?.reread ?? slices?.reread ?? "all";
  return reread === "all" ? all : reread;
}

/** A piece as it was read before, without a request; undefined if its bytes are not kept, or if it comes in pages. */
async function storedPiece(source: HttpSource, request: PartitionRequest, reading: Reading) {
  if (source.pages) return undefined;
  const piece = pieceOf(source, request, reading);
  const file = await takeStoredRead(piece, reading);
  return file === undefined ? undefined : [{ partition: request.partition, file }];
}

/** Returns no parts for a missing piece if the recipe allows that. */
async function readPiece(source: HttpSource, request: PartitionRequest, reading: Reading): Promise<PlannedPart[]> {
  reading.pulse.signal.throwIfAborted();
  const mayMiss = source.template !== undefined && source.template.missing !== "fail";
  try {
    if (source.pages) return await readPaged(source, request, reading, mayMiss);
    return [{ partition: request.partition, ...(await readOne(source, request, reading, mayMiss)) }];
  } catch (error) {
    if (mayMiss && error instanceof SourceFailure && MISSING.has(error.status)) return [];
    const instead = await reusedPiece(error, source, request, reading);
    if (!instead) throw error;
    return instead;
  }
}

/** The bytes of the last good read, if the recipe lets them replace a read that failed. */
async function reusedPiece(error: unknown, source: HttpSource, request: PartitionRequest, reading: Reading) {
  if (source.on_failure !== "reuse" || !(error instanceof RunFailure) || !error.code.startsWith("source_"))
    return undefined;
  const stored = await storedPiece(source, request, reading);
  if (stored)
    await reading.say({
      kind: "warning",
      message: cleanText(`${error.message} The bytes of the last good read are used instead.`),
      data: { source: source.name, failure: error.code },
    });
  return stored;
}

/** A request for a source's piece, with what the recipe sends. */
export function callOf(
  { method, headers }: HttpSource,
  { url, body }: Asked,
  credential: SourceCredential | undefined,
): SourceCall {
  return {
    ...{ url, method, headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(credential && { credential }),
  };
}

async function requestOf(source: HttpSource, request: PartitionRequest, reading: Reading) {
  const { run, dataset, revision } = reading.material;
  const usedBy = `recipe ${dataset.slug} ${revision.number}`;
  const credential =
    source.credential === undefined
      ? undefined
      : await sourceCredential(source.credential, { workspaceId: run.workspaceId, usedBy });
  return { ...callOf(source, request, credential), limits: limitsOf(source, reading) };
}

const pieceOf = (source: HttpSource, request: PartitionRequest, { folder }: Reading): Piece => ({
  ...{ source: source.name, partition: request.partition, requestKey: requestKeyOf(source, request) },
  draft: join(folder, "raw", "draft"),
});

/** Identifies the request for a piece. Bytes stored for a different request do not count. */
const requestKeyOf = ({ method, headers, credential }: HttpSource, { url, body }: Asked): string =>
  JSON.stringify([method, url, body ?? null, headers, credential ?? null]);

async function readOne(source: HttpSource, request: PartitionRequest, reading: Reading, mayMiss: boolean) {
  const piece = pieceOf(source, request, reading);
  const [before, call] = [await storedReadOf(piece, reading), await requestOf(source, request, reading)];
  const readWith = async (validators: SourceReading["validators"]) => {
    const startedAt = performance.now();
    const attempt: SourceReading = { ...call, path: piece.draft, ...(validators && { validators }) };
    const read = await readSource(attempt, contextOf(reading)).catch(async (error: unknown) => {
      if (mayMiss && error instanceof SourceFailure && MISSING.has(error.status)) throw error;
      throw await failedRead(error, piece, msSince(startedAt), reading);
    });
    const file = await recordRead(read, piece, msSince(startedAt), reading);
    const { isCut, stated } = read;
    return { file, ...(isCut && { isCut: true as const }), ...(stated && { stated }) };
  };
  const isStored = before !== undefined && (await hasSnapshot(before.rawDigest));
  if (!isStored) return readWith(undefined);
  try {
    return await readWith({ etag: before.etag, lastModified: before.lastModified });
  } catch (error) {
    // no change, but the stored bytes turn out to be damaged: the source is asked for all of them
    if (!(error instanceof RunFailure) || error.code !== "snapshot_missing") throw error;
    return readWith(undefined);
  }
}

/** Reads a piece in pages. Every page is a part, kept under its own digest. */
async function readPaged(
  source: HttpSource,
  request: PartitionRequest,
  reading: Reading,
  mayMiss: boolean,
): Promise<PlannedPart[]> {
  const { pages, reader, name } = source;
  if (!pages) return [];
  const comparesTotal = source.stated_total === "compare";
  const { partition } = request;
  const piece = pieceOf(source, request, reading);
  const pathOf = (number: number) => `${piece.draft}-page-${number}`;
  const call = {
    ...(await requestOf(source, request, reading)),
    pages,
    records: recordsOf(reader),
    comparesTotal,
    pathOf,
  };
  const startedAt = performance.now();
  const found = await readPages(call, contextOf(reading)).catch(async (error: unknown) => {
    if (mayMiss && error instanceof SourceFailure && MISSING.has(error.status)) throw error;
    throw await failedRead(error, piece, msSince(startedAt), reading);
  });
  for (const { warning, message } of found.warnings)
    await reading.say({ kind: "warning", message: cleanText(`${name}: ${message}`), data: { source: name, warning } });
  const parts: PlannedPart[] = [];
  for (const [at, { path, ...page }] of found.pages.entries()) {
    const own = { ...piece, partition: pageName(partition, at + 1), draft: path };
    parts.push({ partition, file: await recordRead(page, own, msSince(startedAt), reading) });
  }
  return parts;
}

const pageName = (partition: string | null, page: number): string =>
  partition === null ? `page ${page}` : `${partition}, page ${page}`;

/** Where the records of a page are; ndjson has one record per line. */
const recordsOf = ({ format, options }: HttpSource["reader"]): string => (format === "json" ? options.records : "");
