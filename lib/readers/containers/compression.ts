import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { constants, createGunzip } from "node:zlib";
import { ReadFailure } from "@/lib/readers/failure";
import { type Compression, onlyPadding } from "./padding";

import { through } from "./through";
import { unzstd } from "./zstd";

/** In hexadecimal digits. zstd may begin with a frame to be skipped. */
const MAGIC: readonly (readonly [Compression, bytes: RegExp])[] = [
  ["gzip", /^1f8b/],
  ["zstd", /^(?:28b52ffd|5.2a4d18)/],
];

/** How a file is compressed, judged by its first bytes; never by its name. */
export async function compressionOf(path: string): Promise<Compression | undefined> {
  const magic = (await firstBytes(path, 4)).toString("hex");
  return MAGIC.find(([, bytes]) => bytes.test(magic))?.[0];
}

/**
 * The content of a compressed file, all of its gzip members or zstd frames. Every checksum and stated size is verified;
 * NUL bytes after the end are padding, anything else is refused. `isCut` is set for the beginning of a file: then what
 * is there is given. Fails with `archive_unsafe`.
 */
export async function* decompressed(path: string, compression: Compression, isCut = false): AsyncGenerator<Buffer> {
  try {
    yield* compression === "gzip" ? gunzipped(path, isCut) : unzstd(path, isCut);
  } catch (error) {
    throw named(error, compression);
  }
}

/** A file's first bytes, fewer if it is shorter. */
export async function firstBytes(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const length = Math.min(bytes, (await file.stat()).size);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What a decoder's codes mean. */
const CAUSES: Readonly<Record<string, string>> = {
  "unexpected end of file": "is cut short",
  "incorrect header check": "is followed by other bytes",
  "incorrect data check": "is damaged: its CRC-32 is wrong",
  "incorrect length check": "is damaged: it does not have the length that it states",
  ZSTD_error_checksum_wrong: "is damaged: its checksum is wrong",
  ZSTD_error_frameParameter_windowTooLarge: "needs a window of more than 128 MiB, which --ultra or --long set",
  ZSTD_error_dictionary_wrong: "needs a dictionary, which is not in the file",
  Z_NEED_DICT: "needs a dictionary, which is not in the file",
};

function named(error: unknown, compression: Compression): unknown {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  if (error instanceof ReadFailure || !/^Z/.test(code)) return error;
  const cause = CAUSES[code] ?? CAUSES[message] ?? `is damaged: ${message.slice(0, 100)}`;
  return new ReadFailure("archive_unsafe", `The ${compression} data ${cause}. Fetch or compress the file again.`);
}

const CHUNK_BYTES = 256 * 1024;

/** The content of all members of a gzip file. */
async function* gunzipped(path: string, isCut: boolean): AsyncGenerator<Buffer> {
  const decoder = createGunzip({ chunkSize: CHUNK_BYTES, ...(isCut && { finishFlush: constants.Z_SYNC_FLUSH }) });
  yield* through(createReadStream(path, { highWaterMark: CHUNK_BYTES }), decoder);
  await onlyPadding(createReadStream(path, { start: decoder.bytesWritten }), "gzip");
}
