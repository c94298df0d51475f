import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Admission } from "@/lib/kernel/admission";
import { subjectAtWork } from "@/lib/kernel/caller";
import { env } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { digestOfFile, sharedBuffer, ThreadHash } from "./hash-threads";
import type { BlobHandle } from "./object-store";

const CHUNK_BYTES = 1 << 20;
const IN_MEMORY_BYTES = 1 << 20;
const VERIFICATIONS_AT_ONCE = 4;

export interface ExpectedBlob {
  /** Hex SHA-256. */
  digest: string;
  bytes: number;
}

/** A blob whose bytes were just verified. The caller closes it. */
export interface VerifiedBlob extends ExpectedBlob {
  content: { kind: "bytes"; bytes: Buffer } | { kind: "file"; file: BlobHandle };
  close(): Promise<void>;
  /** Reports that the bytes turned out to be wrong after all: the next caller hashes the blob again. */
  distrust(): void;
}

export interface OpenOptions {
  /**
   * Only a part is wanted, so the caller will not hash it while sending. Small blobs are then treated like large ones.
   */
  ranged?: boolean;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * Opens a blob with `open` and hashes all of it before the caller sees a byte. Up to 1 MiB is kept in memory. A larger
 * blob is hashed on a separate thread and returned as the open file that was hashed. While the file remains untouched,
 * that verification also counts for other callers for ten minutes, and each caller hashes what it sends.
 * Fails with `integrity_failure` if the file is missing or different, `storage_timeout` if it cannot be read (in time).
 */
export async function verified(
  open: () => Promise<BlobHandle>,
  expected: ExpectedBlob,
  options: OpenOptions = {},
): Promise<VerifiedBlob> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? env().STORAGE_SECONDS * 1000);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    const file = await openInTime(open(), signal);
    return await verify(file, expected, signal, options.ranged ?? false);
  } catch (error) {
    throw options.signal?.aborted ? options.signal.reason : storageFailure(error);
  }
}

async function verify(
  file: BlobHandle,
  expected: ExpectedBlob,
  signal: AbortSignal,
  ranged: boolean,
): Promise<VerifiedBlob> {
  const work = contentOf(file, expected, signal, ranged);
  const close = () => void file.close().catch(() => undefined);
  // the file is closed once nothing reads it any more, which slow storage may delay until after the deadline
  work.then(({ kind }) => (kind === "bytes" || signal.aborted) && close(), close);
  const content = await inTime(work, signal);
  return {
    ...expected,
    content,
    close: async () => (content.kind === "file" ? content.file.close() : undefined),
    distrust: () => forget(file),
  };
}

async function contentOf(
  file: BlobHandle,
  expected: ExpectedBlob,
  signal: AbortSignal,
  ranged: boolean,
): Promise<VerifiedBlob["content"]> {
  if (file.bytes !== expected.bytes) throw fail("integrity_failure");
  const large = expected.bytes > IN_MEMORY_BYTES;
  if ((large || ranged) && isRemembered(file, expected.digest)) return { kind: "file", file };
  const startedAt = Date.now();
  const bytes = large ? undefined : await readWhole(file, expected.bytes, signal);
  const digest = bytes?.digest ?? (await hashedInTurn(file, expected.bytes, signal));
  if (digest !== expected.digest) throw fail("integrity_failure");
  remember(file, digest, startedAt);
  return bytes ? { kind: "bytes", bytes: bytes.whole } : { kind: "file", file };
}

const verifications = () =>
  processWide(
    "blob-verifications",
    () => new Admission({ slots: VERIFICATIONS_AT_ONCE, queueMs: env().STORAGE_SECONDS * 1000 }),
  );

const hashedInTurn = (file: BlobHandle, bytes: number, signal: AbortSignal): Promise<string> =>
  verifications().run(subjectAtWork(), () => digestOf(file, bytes, signal), signal);

const digestOf = (file: BlobHandle, bytes: number, signal: AbortSignal): Promise<string> =>
  file.fd === undefined ? digestOfReads(file, bytes, signal) : digestOfFile(file.fd, bytes, signal);

/** For storage without a file descriptor: read here, hashed by a hash thread. */
async function digestOfReads(file: BlobHandle, bytes: number, signal: AbortSignal): Promise<string> {
  const hash = new ThreadHash();
  const buffer = sharedBuffer(CHUNK_BYTES);
  try {
    for (let position = 0; position < bytes; ) {
      signal.throwIfAborted();
      const chunk = await readChunk(file, buffer.subarray(0, Math.min(CHUNK_BYTES, bytes - position)), position);
      position += chunk.length;
      await hash.update(chunk);
    }
    return await hash.digest();
  } finally {
    hash.release();
  }
}

/** All bytes and their hex SHA-256: one chunk is hashed while the next is read. */
async function readWhole(
  file: BlobHandle,
  bytes: number,
  signal: AbortSignal,
): Promise<{ whole: Buffer; digest: string }> {
  const hash = createHash("sha256");
  const whole = Buffer.allocUnsafeSlow(bytes);
  const read = (position: number) =>
    readChunk(file, whole.subarray(position, Math.min(bytes, position + CHUNK_BYTES)), position);
  let reading = bytes > 0 ? read(0) : undefined;
  for (let position = 0; reading; ) {
    const chunk: Buffer = await reading;
    signal.throwIfAborted();
    position += chunk.length;
    reading = position < bytes ? read(position) : undefined;
    hash.update(chunk);
  }
  return { whole, digest: hash.digest("hex") };
}

async function readChunk(file: BlobHandle, target: Buffer, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(target, 0, target.length, position);
  if (bytesRead === 0) throw fail("integrity_failure");
  return target.subarray(0, bytesRead);
}

/** If the open completes too late, the handle is closed again. */
async function openInTime(opening: Promise<BlobHandle>, signal: AbortSignal): Promise<BlobHandle> {
  try {
    return await inTime(opening, signal);
  } catch (error) {
    void opening.then((file) => file.close()).catch(() => undefined);
    throw error;
  }
}

/** Settles like `work`, unless the signal aborts first: then rejects with its reason. */
export function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.finally(() => signal.removeEventListener("abort", abort)).then(resolve, reject);
  });
}

const WRONG = new Set(["SHORT", "ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EACCES"]);

/** The error that a reader gets for a storage failure: `integrity_failure`, `storage_timeout` or `unavailable`. */
export function storageFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (WRONG.has(code)) return fail("integrity_failure", { cause: error });
  if (code === "EMFILE" || code === "ENFILE") return fail("unavailable", { retryAfterSeconds: 1, cause: error });
  return fail("storage_timeout", { cause: error });
}

const REMEMBERED_MS = 10 * 60_000;

const ENTRIES_MAX = 1_000;

/** A change within the same clock tick of the file system as the hashing would leave the change time equal. */
const SETTLED_MS = 2_000;

interface Entry {
  digest: string;
  until: number;
}

/** Keyed by the mark of the stored bytes. */
const entries = () => processWide("verified-recently", () => new LRUCache<string, Entry>({ max: ENTRIES_MAX }));

/**
 * Records a verification that began at `startedAt`, unless the blob had been touched so shortly before that a later
 * change could go undetected.
 */
function remember(blob: BlobHandle, digest: string, startedAt: number): void {
  const identity = blob.identity();
  if (!identity || startedAt - identity.changedAtMs < SETTLED_MS) return;
  entries().set(identity.mark, { digest, until: startedAt + REMEMBERED_MS });
}

/** Whether exactly these bytes were hashed within the last ten minutes. */
function isRemembered(blob: BlobHandle, digest: string): boolean {
  const entry = entries().get(blob.identity()?.mark ?? "");
  return entry !== undefined && entry.until > Date.now() && entry.digest === digest;
}

function forget(blob: BlobHandle): void {
  entries().delete(blob.identity()?.mark ?? "");
}
