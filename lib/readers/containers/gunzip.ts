import { createReadStream } from "node:fs";
import { constants, createGunzip } from "node:zlib";
import { onlyPadding } from "./padding";
import { through } from "./through";

const CHUNK_BYTES = 256 * 1024;

/** The content of all members of a gzip file. */
export async function* gunzipped(path: string, isCut: boolean): AsyncGenerator<Buffer> {
  const decoder = createGunzip({ chunkSize: CHUNK_BYTES, ...(isCut && { finishFlush: constants.Z_SYNC_FLUSH }) });
  yield* through(createReadStream(path, { highWaterMark: CHUNK_BYTES }), decoder);
  await onlyPadding(createReadStream(path, { start: decoder.bytesWritten }), "gzip");
}
