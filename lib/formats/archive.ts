import { finished, type Readable } from "node:stream";
import { ZipFile } from "yazl";

/**
 * A file of an archive: its bytes, or a function that opens them when it is the file's turn. Without a size it is
 * compressed, and the archive's length is not known until its end. `bytesMax`: for a file that is never larger.
 */
export type ArchiveEntry = { name: string } & (
  | { bytes: Buffer; isCompressed?: true }
  | { sizeBytes?: number; bytesMax?: number; open(): Readable }
);

export interface Archive {
  stream: Readable;
  /** Size of the entire archive, if the size of every file is known. */
  sizeBytes?: number;
}

/** Beyond level 3, CSV shrinks by a tenth in twice the time. */
const COMPRESSION_LEVEL = 3;

/**
 * A ZIP archive; files of known size are stored uncompressed. The same entries and time give the same bytes on any
 * machine. If a source fails or ends early, the stream breaks off before the archive's directory, so that no program
 * opens the file as if it were complete.
 */
export function zipArchive(entries: readonly ArchiveEntry[], at: Date): Promise<Archive> {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  const options = { mtime: wallClock(at), mode: 0o100644, compress: false, forceDosTimestamp: true };
  let source: Readable | undefined;
  zip.on("error", (error: Error) => stream.destroy(error));
  stream.once("close", () => source?.destroy());
  for (const entry of entries) {
    if ("bytes" in entry) zip.addBuffer(entry.bytes, entry.name, { ...options, ...(entry.isCompressed && COMPRESSED) });
    else
      zip.addReadStreamLazy(entry.name, { ...options, ...sizeOptions(entry) }, (answer) => {
        if (stream.destroyed) return;
        source = entry.open();
        finished(source, (error) => void (error && stream.destroy(error)));
        answer(null, source);
      });
  }
  return new Promise((resolve) => {
    zip.end({ forceZip64Format: false, comment: "" }, ((sizeBytes: number) =>
      resolve({ stream, ...(sizeBytes >= 0 && { sizeBytes }) })) as () => void);
  });
}

const COMPRESSED = { compress: true, compressionLevel: COMPRESSION_LEVEL };

/** A file of unknown size may have more than 4 GiB, unless it says otherwise. */
const sizeOptions = ({ sizeBytes, bytesMax = Infinity }: { sizeBytes?: number; bytesMax?: number }) =>
  sizeBytes === undefined ? { ...COMPRESSED, forceZip64Format: bytesMax >= ZIP64_FROM } : { size: sizeBytes };

/** From this size on, the format needs its extension for large files. */
const ZIP64_FROM = 2 ** 32 - 1;

/** ZIP stores times without a zone. Uses the figures of UTC, so that they are the same everywhere. */
function wallClock(at: Date): Date {
  return new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  );
}
