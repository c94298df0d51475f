import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Failure, fail } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { Semaphore } from "./semaphore";
import { isRemembered, remember } from "./verified-recently";

const CHUNK_BYTES = 1 << 20;
const IN_MEMORY_BYTES = 32 << 20;
const VERIFICATIONS_AT_ONCE = 4;
const TIMEOUT_MS = 60_000;

export interface ExpectedBlob {
  /** Hex SHA-256. */
  digest: string;
  bytes: number;
}

/** A blob whose bytes were just seen to be the right ones; whoever takes it closes it. */
export interface VerifiedBlob extends ExpectedBlob {
  content: { kind: "bytes"; bytes: Buffer } | { kind: "file"; file: FileHandle };
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A part is wanted: a verification of the last minutes counts while the file is untouched since. */
  ranged?: boolean;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * Opens a blob and hashes all of it before the caller sees a byte; small ones are kept in memory, large ones come as the open file that was hashed.
 * `integrity_failure` when the file is missing or other than expected, `storage_timeout` when it cannot be read (in time).
 */
export async function openVerified(path: string, expected: ExpectedBlob, options: OpenOptions = {}): Promise<VerifiedBlob> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    const file = await openInTime(path, signal);
    return await verify(path, file, expected, signal, options.ranged ?? false);
  } catch (error) {
    throw options.signal?.aborted ? options.signal.reason : storageFailure(error);
  }
}

async function verify(path: string, file: FileHandle, expected: ExpectedBlob, signal: AbortSignal, ranged: boolean): Promise<VerifiedBlob> {
  let keep = false;
  try {
    const stats = await abortable(file.stat({ bigint: true }), signal);
    if (!stats.isFile() || stats.size !== BigInt(expected.bytes)) throw fail("integrity_failure");
    const content = await contentOf(path, file, stats, expected, signal, ranged);
    keep = content.kind === "file";
    return { ...expected, content, close: () => (keep ? file.close() : Promise.resolve()) };
  } finally {
    if (!keep) void file.close().catch(() => undefined); // waits for a read that storage may never finish
  }
}

async function contentOf(
  path: string,
  file: FileHandle,
  stats: BigIntStats,
  expected: ExpectedBlob,
  signal: AbortSignal,
  ranged: boolean,
): Promise<VerifiedBlob["content"]> {
  if (ranged && isRemembered(path, stats, expected.digest)) return { kind: "file", file };
  const small = expected.bytes <= IN_MEMORY_BYTES;
  const whole = small ? Buffer.allocUnsafeSlow(expected.bytes) : undefined;
  const measure = () => digestOf(file, expected.bytes, signal, whole);
  const startedAt = Date.now();
  const digest = whole ? await measure() : await verifications().run(measure, signal);
  if (digest !== expected.digest) throw fail("integrity_failure");
  remember(path, stats, digest, startedAt);
  return whole ? { kind: "bytes", bytes: whole } : { kind: "file", file };
}

const verifications = () => processWide("blob-verifications", () => new Semaphore(VERIFICATIONS_AT_ONCE));

/** Hex SHA-256 of the first `bytes` bytes: one chunk is hashed while the next is read. Keeps them in `whole` when given. */
async function digestOf(file: FileHandle, bytes: number, signal: AbortSignal, whole?: Buffer): Promise<string> {
  const hash = createHash("sha256");
  const spare = whole ? [] : [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
  const read = (turn: number, position: number) => {
    const length = Math.min(CHUNK_BYTES, bytes - position);
    const target = whole?.subarray(position, position + length) ?? (spare[turn & 1] as Buffer).subarray(0, length);
    return abortable(readChunk(file, target, position), signal);
  };
  let position = 0;
  let reading = bytes > 0 ? read(0, 0) : undefined;
  for (let turn = 1; reading; turn += 1) {
    const chunk = await reading;
    position += chunk.length;
    reading = position < bytes ? read(turn, position) : undefined;
    reading?.catch(() => undefined); // awaited in the next turn
    hash.update(chunk);
  }
  return hash.digest("hex");
}

async function readChunk(file: FileHandle, target: Buffer, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(target, 0, target.length, position);
  if (bytesRead === 0) throw fail("integrity_failure");
  return target.subarray(0, bytesRead);
}

/** An open that comes too late is closed again. */
async function openInTime(path: string, signal: AbortSignal): Promise<FileHandle> {
  const opening = open(path);
  try {
    return await abortable(opening, signal);
  } catch (error) {
    void opening.then((file) => file.close()).catch(() => undefined);
    throw error;
  }
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.finally(() => signal.removeEventListener("abort", abort)).then(resolve, reject);
  });
}

const GONE = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EACCES"]);

function storageFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (GONE.has(code)) return fail("integrity_failure", { cause: error });
  if (code === "EMFILE" || code === "ENFILE") return fail("unavailable", { retryAfterSeconds: 1, cause: error });
  return fail("storage_timeout", { cause: error });
}
