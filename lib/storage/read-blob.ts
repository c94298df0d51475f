import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { type BlobStore, blobStore } from "./blob-store";
import { openFile } from "./file-handle";
import {
  type ExpectedBlob,
  inTime,
  type OpenOptions,
  storageFailure,
  type VerifiedBlob,
  verified,
} from "./verified-blob";

const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a stored blob with verified bytes, as `verified` does. A part that is wanted is read from a local path, since
 * an object store could send other bytes than those that were verified.
 */
export const openVerified = (
  expected: ExpectedBlob,
  options?: OpenOptions,
  store: BlobStore = blobStore(),
): Promise<VerifiedBlob> =>
  verified(
    () => (options?.ranged ? store.withLocalPath(expected.digest, openFile) : store.open(expected.digest)),
    expected,
    options,
  );

/** Whether a blob of this size is stored, judging by its name; also false if storage does not answer in time. */
export const isStored = ({ digest, bytes }: ExpectedBlob): Promise<boolean> =>
  inTime(
    blobStore()
      .stat(digest)
      .then((stored) => stored?.bytes === bytes),
    AbortSignal.timeout(env().STORAGE_SECONDS * 1000),
  ).catch(() => false);

/** Verified where it is stored. */
const openStored = (expected: ExpectedBlob, signal?: AbortSignal): Promise<VerifiedBlob> =>
  verified(() => blobStore().open(expected.digest), expected, { ranged: true, ...(signal && { signal }) });

/** Verifies a blob without keeping it open. Rejects as `openVerified` does. */
export async function proveBlob(expected: ExpectedBlob, signal?: AbortSignal): Promise<void> {
  const blob = await openStored(expected, signal);
  await blob.close();
}

/**
 * Runs `work` on a local path of a blob whose bytes were verified at that path; the path is valid until `work` settles.
 * Rejects as `openVerified` does.
 */
export async function withProvenPath<T>(expected: ExpectedBlob, work: (path: string) => Promise<T>): Promise<T> {
  let isProven = false;
  try {
    return await blobStore().withLocalPath(expected.digest, async (path) => {
      await (await verified(() => openFile(path), expected, { ranged: true })).close();
      isProven = true;
      return await work(path);
    });
  } catch (error) {
    throw isProven ? error : storageFailure(error);
  }
}

/**
 * A blob's bytes, opened on first read and hashed while they are sent. If they are wrong, the stream fails before its
 * end.
 */
export const blobStream = (expected: ExpectedBlob): Readable =>
  Readable.from(chunksOf(expected), { objectMode: false });

async function* chunksOf(expected: ExpectedBlob): AsyncGenerator<Buffer> {
  const blob = await openStored(expected);
  try {
    if (blob.content.kind === "bytes") {
      yield blob.content.bytes;
      return;
    }
    const hash = createHash("sha256");
    for (let position = 0; position < expected.bytes; ) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, expected.bytes - position));
      const { bytesRead } = await blob.content.file.read(chunk, 0, chunk.length, position);
      position += bytesRead;
      hash.update(chunk.subarray(0, bytesRead));
      const isWrong = bytesRead === 0 || (position >= expected.bytes && hash.digest("hex") !== expected.digest);
      if (isWrong) {
        blob.distrust();
        throw fail("integrity_failure");
      }
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await blob.close();
  }
}
