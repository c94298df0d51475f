import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { fail } from "@/lib/errors";
import { type ExpectedBlob, openVerified } from "./verified-blob";

const CHUNK_BYTES = 256 * 1024;

/** Proves a blob without keeping it. Refuses as `openVerified` does. */
export async function proveBlob(path: string, expected: ExpectedBlob, signal?: AbortSignal): Promise<void> {
  const blob = await openVerified(path, expected, { ranged: true, ...(signal && { signal }) });
  await blob.close();
}

/**
 * A blob's bytes, opened when they are first asked for and hashed on their way: the stream fails before its end when
 * they are the wrong ones.
 */
export const blobStream = (path: string, expected: ExpectedBlob): Readable =>
  Readable.from(chunksOf(path, expected), { objectMode: false });

async function* chunksOf(path: string, expected: ExpectedBlob): AsyncGenerator<Buffer> {
  const blob = await openVerified(path, expected, { ranged: true });
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
