import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { BackupTable } from "@/lib/schemas/backup";
import type { TableShape } from "@/lib/store/copy-session";
import type { Snapshot } from "@/lib/store/snapshot";

/** Writes the rows of a table into the backup, compressed. */
export async function dumpTable(
  folder: string,
  snapshot: Snapshot,
  table: TableShape,
  signal: AbortSignal | undefined,
): Promise<BackupTable> {
  const file = `database/${encodeURIComponent(table.name)}.copy.gz`;
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await mkdir(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
  const rows = await snapshot.readRows(table, async (source) => {
    const target = createWriteStream(join(folder, file), { mode: 0o600, flush: true });
    await pipeline(source, createGzip(), measure, target, signal ? { signal } : {});
  });
  return { ...table, file, rows, bytes, sha256: hash.digest("hex") };
}
