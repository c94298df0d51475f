import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { SourceRead } from "@/lib/sources/read-source";
import { keepSnapshot, takeSnapshot } from "@/lib/sources/snapshots";
import { SourceFailure } from "@/lib/sources/source-failure";
import { withTableLock } from "@/lib/store/datasets/versions";
import {
  findPartition,
  recordFailedRead,
  recordGoodRead,
  type StoredPartition,
} from "@/lib/store/sources/source-reads";
import { cleanText, RunFailure, runFailureOf } from "@/lib/worker/runs/run-failure";
import type { RunMaterial } from "@/lib/worker/runs/run-material";
import { recordStored } from "@/lib/worker/runs/unrecorded";
import { makeSnapshotRoom } from "./old-snapshots";
import type { Reading } from "./read-sources";

/** A piece of a source, and the file that its bytes are first written to. */
export interface Piece {
  source: string;
  /** Null for a source that is one piece. */
  partition: string | null;
  /** Identifies its request. Bytes stored for a different request do not count. */
  requestKey: string;
  draft: string;
}

/** Records that a read of an entire source failed, and adds it to the run's events. */
export async function failedRead(error: unknown, piece: Piece, ms: number, reading: Reading): Promise<Error> {
  const { run } = reading.material;
  const isNamed = error instanceof SourceFailure || error instanceof RunFailure;
  const failure = isNamed ? error.code : "internal";
  await recordFailedRead({ ...partOf(piece, reading), runId: run.id, now: new Date(), ms, failure });
  if (error instanceof SourceFailure) return runFailureOf(error, piece.source);
  return error instanceof Error ? error : new Error(String(error));
}

/** Stores what was read under its digest, with an observation and an event. Returns its path in the run's folder. */
export async function recordRead(
  read: SourceRead & { license?: string | null },
  piece: Piece,
  ms: number,
  reading: Reading,
): Promise<string> {
  const { material, folder, say } = reading;
  const stated = read.license ?? reading.listedLicence;
  const license = stated == null ? null : cleanText(stated);
  const { run } = material;
  const [part, now] = [partOf(piece, reading), new Date()];
  const digest = await rawFile(read, await findPartition(part), piece.draft, folder);
  await reading.budget.record();
  const isNew = read.digest !== null && !read.isCut;
  const snapshotBytes = (await stat(join(folder, "raw", digest))).size; // of a 304, the stored ones
  if (isNew) await makeSnapshotRoom({ workspaceId: run.workspaceId, digest, bytes: read.bytes, since: beganAt(run) });
  const about = { ...part, runId: run.id, workspaceId: run.workspaceId, now, ms };
  const how = await withTableLock(material.dataset.slug, "", async () => {
    if (!read.isCut) await storeRaw(folder, digest); // after a 304 too: the snapshot may have just been removed
    return recordGoodRead({ ...about, seenAt: seenAt(material), read: { ...read, digest, license }, snapshotBytes });
  });
  const kind = how === "same_bytes" || how === "not_modified" ? "source_unchanged" : "source_read";
  const name = piece.partition === null ? piece.source : `${piece.source} ${piece.partition}`;
  const message = cleanText(`${name}: ${read.status}, ${read.bytes} bytes, ${how.replaceAll("_", " ")}`);
  await say({ kind, message, data: { source: piece.source, status: read.status, bytes: read.bytes, how } });
  return join("raw", digest);
}

const beganAt = ({ claimedAt, createdAt }: RunMaterial["run"]): Date => claimedAt ?? createdAt;

/** When it was read; for a replayed version, when that version was released. */
const seenAt = ({ installed }: RunMaterial): Date | undefined => (installed ? new Date(installed.at) : undefined);

/** What is kept of the last good read of a piece. */
export const storedReadOf = (piece: Piece, reading: Reading): Promise<StoredPartition | undefined> =>
  findPartition(partOf(piece, reading));

/** The file of a piece as it was read before, copied into the run's folder; undefined if its bytes are not kept. */
export async function takeStoredRead(piece: Piece, reading: Reading): Promise<string | undefined> {
  const before = await storedReadOf(piece, reading);
  const file = before && join("raw", before.rawDigest);
  return file !== undefined && (await takeSnapshot(before?.rawDigest ?? "", join(reading.folder, file)))
    ? file
    : undefined;
}

/** Key under which a partition's reads are stored. */
export const partOf = ({ source, partition, requestKey }: Piece, { material }: Reading) => ({
  datasetId: material.dataset.id,
  source,
  partition: partition ?? "",
  requestDigest: sha256Hex(requestKey).slice(0, 16),
});

/** The file that was read, under its digest; after a 304, the stored one. */
async function rawFile(
  read: SourceRead,
  before: StoredPartition | undefined,
  draft: string,
  folder: string,
): Promise<string> {
  const digest = read.digest ?? before?.rawDigest ?? "";
  const target = join(folder, "raw", digest);
  if (read.digest === null) {
    if (await takeSnapshot(digest, target)) return digest;
    throw new RunFailure("snapshot_missing", "The source reports no change, but its stored bytes are gone.");
  }
  await rename(draft, target);
  return digest;
}

/** Holds the lock, so that nobody removes the bytes before they are recorded. */
async function storeRaw(folder: string, digest: string): Promise<void> {
  await recordStored(folder, digest);
  await keepSnapshot(join(folder, "raw", digest), digest);
}

export const msSince = (startedAt: number): number => Math.round(performance.now() - startedAt);
