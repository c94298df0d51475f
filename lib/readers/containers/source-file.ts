import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { mismatch } from "@/lib/readers/failure";
import { FILE_FORMATS } from "@/lib/schemas/publish";
import { plainPath } from "./plain-path";

export type FileFormat = (typeof FILE_FORMATS)[number];

export interface SourceFile {
  /** The uncompressed file. */
  path: string;
  format: FileFormat;
}

const GZIP_MAGIC = "1f8b";
const ZSTD_MAGIC = "28b52ffd";

/**
 * Determines the format by name or declaration, and the compression by the file's first bytes; unpacks into `folder` if
 * needed.
 */
export async function openSource(file: string, declared: FileFormat | undefined, folder: string): Promise<SourceFile> {
  const magic = await readMagic(file);
  const format = declared ?? formatOfName(file);
  if (magic.startsWith(GZIP_MAGIC)) return { path: await unpack(file, folder, createGunzip()), format };
  if (magic.startsWith(ZSTD_MAGIC)) return { path: await unpack(file, folder, zstdDecoder()), format };
  return { path: await plainPath(file, folder), format };
}

function formatOfName(file: string): FileFormat {
  const name = basename(file)
    .toLowerCase()
    .replace(/\.(gz|zst)$/, "");
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const format = FILE_FORMATS.find((known) => known === ending) ?? (ending === "jsonl" ? "ndjson" : undefined);
  if (!format)
    throw mismatch(
      `Cannot infer the format of ${basename(file)} from its extension. Use .csv, .tsv, .json, .ndjson or .parquet ` +
        `(plain, .gz or .zst), or use --format.`,
    );
  return format;
}

async function readMagic(path: string): Promise<string> {
  const size = await stat(path).catch(() => undefined);
  if (!size?.isFile()) throw mismatch(`${path} is not a readable file.`);
  if (size.size === 0) throw mismatch(`${basename(path)} is empty.`);
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead).toString("hex");
  } finally {
    await file.close();
  }
}

async function unpack(file: string, folder: string, decoder: NodeJS.ReadWriteStream): Promise<string> {
  const path = join(folder, "source");
  try {
    await pipeline(createReadStream(file), decoder, createWriteStream(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith("E")) throw error; // the disk's fault, not the file's
    throw mismatch(
      `Cannot decompress ${basename(file)}: ${error instanceof Error ? error.message : "it is damaged"}. ` +
        "Compress it again.",
    );
  }
  if ((await stat(path)).size === 0) throw mismatch(`${basename(file)} is empty.`);
  return path;
}

/** Node 24's own decoder silently stops after the first of several frames, which would lose rows. */
function zstdDecoder(): Transform {
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(() => decoder.push(chunk), done);
    },
    flush(done) {
      attempt(() => decoder.push(new Uint8Array(), true), done);
    },
  });
  const decoder = new Decompress((chunk) => void stream.push(chunk));
  return stream;
}

function attempt(work: () => void, done: (error?: Error) => void): void {
  try {
    work();
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}
