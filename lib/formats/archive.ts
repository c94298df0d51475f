import type { Readable } from "node:stream";
import { ZipFile } from "yazl";

/** A file of an archive: its bytes, or where they come from once its turn has come. */
export type ArchiveEntry = { name: string } & ({ bytes: Buffer } | { sizeBytes: number; open(): Readable });

export interface Archive {
  stream: Readable;
  /** Of the whole archive, known before its first byte. */
  sizeBytes: number;
}

/**
 * A ZIP archive of files that are stored as they are. The same entries and time give the same bytes, wherever they are
 * made.
 */
export function zipArchive(entries: readonly ArchiveEntry[], at: Date): Promise<Archive> {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  const options = { mtime: wallClock(at), mode: 0o100644, compress: false, forceDosTimestamp: true };
  let source: Readable | undefined;
  zip.on("error", (error: Error) => stream.destroy(error));
  stream.once("close", () => source?.destroy());
  for (const entry of entries) {
    if ("bytes" in entry) zip.addBuffer(entry.bytes, entry.name, options);
    else
      zip.addReadStreamLazy(entry.name, { ...options, size: entry.sizeBytes }, (answer) => {
        if (stream.destroyed) return;
        source = entry.open();
        answer(null, source);
      });
  }
  return new Promise((resolve) => {
    zip.end({ forceZip64Format: false, comment: "" }, ((sizeBytes: number) =>
      resolve({ stream, sizeBytes })) as () => void);
  });
}

/** ZIP keeps times without a zone: the same figures everywhere are those of UTC. */
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
