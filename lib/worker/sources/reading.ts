import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlannedSource } from "@/lib/builds/plan";
import { env } from "@/lib/kernel/env";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { SourceCredential } from "@/lib/sources/credential";
import type { ReadingContext, SourceRead, SourceReading } from "@/lib/sources/read-source";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import { keepSnapshot, takeSnapshot } from "@/lib/sources/snapshots";
import { SourceFailure } from "@/lib/sources/source-failure";
import { withTableLock } from "@/lib/store/datasets/versions";
import { buildUsage, recordFetchedBytes } from "@/lib/store/runs/build-quota";
import type { WorkerEvent } from "@/lib/store/runs/run-claims";
import { listSecrets } from "@/lib/store/sources/secrets";
import { takeHostSlot } from "@/lib/store/sources/source-hosts";
import {
  findPartition,
  recordFailedRead,
  recordGoodRead,
  type StoredPartition,
} from "@/lib/store/sources/source-reads";
import { openSecret } from "@/lib/vault/secrets";
import { cleanText, RunFailure, runFailureOf } from "@/lib/worker/runs/run-failure";
import type { Pulse } from "@/lib/worker/runs/run-job";
import type { RunMaterial } from "@/lib/worker/runs/run-material";
import { recordStored } from "@/lib/worker/runs/unrecorded";
import { makeSnapshotRoom } from "./old-snapshots";

export interface Reading {
  material: RunMaterial;
  /** The run's folder. Raw files are in `raw/`. */
  folder: string;
  pulse: Pulse;
  budget: FetchBudget;
  say(event: WorkerEvent): Promise<boolean>;
  /** The licence that a provider's list states for the source being read. */
  listedLicence?: string | undefined;
}

/** The parts read from a source. */
export type ReadParts = Pick<PlannedSource, "parts" | "isPart">;

const SAMPLE_SECONDS = 60;
export const IDLE_MS = 30_000;
/** Formats whose readers need the entire file. */
const WHOLE: readonly string[] = ["xlsx", "parquet", "json"];

type WebSource = Extract<RecipeSource, { kind: "http" | "package" }>;

/** A package is read completely, so that its digest can be checked. */
export function limitsOf(
  { kind, limits, reader }: WebSource,
  { material: { mode } }: Pick<Reading, "material">,
): SourceReading["limits"] {
  const { SOURCE_BYTES, SOURCE_BYTES_SAMPLE, SOURCE_SECONDS } = env();
  const mayCut = mode === "sample" && kind === "http" && !WHOLE.includes(reader.format);
  const most = Math.min(limits?.download_bytes ?? Infinity, mayCut ? SOURCE_BYTES_SAMPLE : SOURCE_BYTES);
  const seconds = Math.min(limits?.seconds ?? Infinity, mode === "sample" ? SAMPLE_SECONDS : SOURCE_SECONDS);
  return { bytes: most, idleMs: IDLE_MS, mayCut, seconds };
}

/** What reading needs from this process. Workspaces take turns at each host, over all workers. */
export function contextOf({
  pulse,
  budget,
}: Pick<Reading, "budget"> & { pulse: { signal: AbortSignal } }): ReadingContext {
  const signal = AbortSignal.any([pulse.signal, budget.signal]);
  const wait = async (ms: number) => void (await sleep(ms, undefined, { signal }));
  return {
    connecting: serviceConnecting(),
    onBytes: budget.count,
    signal,
    wait,
    turn: (host) => takeHostSlot({ host, workspaceId: budget.workspaceId }, wait),
  };
}

const RECORDED_EVERY_BYTES = 8 * 1024 * 1024;

/** What a workspace may still fetch today. Bytes count as they arrive, including those of reads that fail. */
export class FetchBudget {
  /** Aborted with quota_exhausted once the day's quota is used up. */
  readonly signal: AbortSignal;
  private readonly control = new AbortController();
  readonly workspaceId: string;
  private recorded: number;
  private pending = 0;

  private constructor(workspaceId: string, recorded: number) {
    this.workspaceId = workspaceId;
    this.recorded = recorded;
    this.signal = this.control.signal;
    this.judge();
  }

  static async open(workspaceId: string): Promise<FetchBudget> {
    return new FetchBudget(workspaceId, (await buildUsage(workspaceId, new Date())).bytes);
  }

  /** Counts bytes that arrived. */
  readonly count = (bytes: number): void => {
    this.pending += bytes;
    this.judge();
    if (this.pending >= RECORDED_EVERY_BYTES) void this.record().catch(() => undefined); // recorded with the next ones
  };

  /** Records the bytes that arrived since the last time. */
  async record(): Promise<void> {
    const bytes = this.pending;
    if (bytes === 0) return;
    this.pending = 0;
    try {
      this.recorded = Math.max(this.recorded, await recordFetchedBytes(this.workspaceId, bytes, new Date()));
      this.judge();
    } catch (error) {
      this.pending += bytes;
      throw error;
    }
  }

  private judge(): void {
    const { BUILD_BYTES_DAY } = env();
    if (this.recorded + this.pending < BUILD_BYTES_DAY || this.control.signal.aborted) return;
    const message = `Daily quota of ${BUILD_BYTES_DAY.toLocaleString("en")} fetched bytes reached.`;
    this.control.abort(new SourceFailure("quota_exhausted", `${message} Start the run after midnight UTC.`));
  }
}

/**
 * A stored credential, decrypted for one request; `usedBy` is shown with it. Throws secret_missing or
 * secret_unreadable.
 */
export async function sourceCredential(
  name: string,
  { workspaceId, usedBy }: { workspaceId: string; usedBy: string },
): Promise<SourceCredential> {
  const stored = (await listSecrets(workspaceId)).find((secret) => secret.name === name);
  if (!stored) throw new RunFailure("secret_missing", `The workspace has no credential ${name}.`);
  try {
    const value = await openSecret(workspaceId, name, usedBy, new Date());
    return { name, value, hosts: stored.hosts };
  } catch {
    throw new RunFailure("secret_unreadable", `The credential ${name} cannot be decrypted. Store it again.`);
  }
}

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
