import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { isDiskFull } from "@/lib/kernel/disk-full";
import { fail } from "@/lib/kernel/errors";
import type { Blob } from "./blobs";
import { PRIVATE_FOLDER } from "./data-folder";
import { tempDir } from "./paths";

/** Disk space left free for everything else that the service writes. */
const SPARE_BYTES = 256 * 1024 * 1024;

interface Receiving {
  bytesMax: number;
  /** The size that is expected. */
  declaredBytes: number | undefined;
}

/** As `withTempFile`, with what a client sends. Fails with invalid_request if the client broke off. */
export const withReceivedFile = <T>(
  chunks: AsyncIterable<Uint8Array>,
  receiving: Receiving,
  work: (file: Blob & { path: string }) => Promise<T>,
): Promise<T> => withTempFile(arriving(chunks), receiving, work);

/**
 * Writes bytes into a file on the file system of stored objects, passes it to `work`, and removes it unless `work`
 * moved it. Fails with request_too_large, and with unavailable if the disk is full.
 */
export async function withTempFile<T>(
  chunks: AsyncIterable<Uint8Array>,
  receiving: Receiving,
  work: (file: Blob & { path: string }) => Promise<T>,
): Promise<T> {
  const path = join(tempDir(), `upload-${process.pid}-${randomUUID()}`);
  try {
    await mkdir(tempDir(), PRIVATE_FOLDER);
    await requireSpace(receiving);
    return await work({ path, ...(await receive(chunks, path, receiving)) });
  } finally {
    await rm(path, { force: true });
  }
}

async function receive(chunks: AsyncIterable<Uint8Array>, path: string, { bytesMax }: Receiving): Promise<Blob> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      hash.update(chunk);
      await write(file, chunk);
    }
  } finally {
    await file.close();
  }
  return { digest: hash.digest("hex"), bytes };
}

/** The chunks sent by a client. If they end early, the client is at fault. */
async function* arriving(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await source.next().catch((cause: unknown) => {
        throw fail("invalid_request", { message: "The upload was cut off. Nothing was stored.", cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    await source.return?.().catch(() => undefined);
  }
}

async function write(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    await file.writeFile(chunk);
  } catch (cause) {
    throw isDiskFull((cause as NodeJS.ErrnoException).code) ? diskFull(cause) : cause;
  }
}

async function requireSpace({ bytesMax, declaredBytes = 0 }: Receiving): Promise<void> {
  if (declaredBytes > bytesMax) throw tooLarge(bytesMax);
  const { bavail, bsize } = await statfs(tempDir());
  if (bavail * bsize < declaredBytes + SPARE_BYTES) throw diskFull();
}

const tooLarge = (bytesMax: number) =>
  fail("request_too_large", {
    message: `The file is too large (maximum ${bytesMax.toLocaleString("en")} bytes). Nothing was stored.`,
  });

/** The failure for a file that does not fit on the disk. */
const diskFull = (cause?: unknown) =>
  fail("unavailable", {
    message:
      "No space left on the service for the file. Nothing was stored. Try again later, or ask the administrator.",
    retryAfterSeconds: 600,
    cause,
  });
