import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** A file's bytes in chunks of at most this size. A stream takes that much memory even for a tiny file. */
export async function fileChunks(path: string, chunkBytes: number): Promise<AsyncIterable<Buffer>> {
  const { size } = await stat(path);
  return createReadStream(path, { highWaterMark: Math.max(1, Math.min(chunkBytes, size)) });
}
