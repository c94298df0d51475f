import { open } from "node:fs/promises";

const CHUNK_CHARS = 1 << 20;

/**
 * Writes one JSON object per line; buffers about 1 MiB. The first row is complete, so that it names every column in
 * order; later rows omit nulls, which halves a wide sparse table.
 */
export async function writeNdjson(path: string, rows: Iterable<object>): Promise<void> {
  const file = await open(path, "w");
  try {
    let chunk = "";
    let isFirst = true;
    for (const row of rows) {
      chunk += `${JSON.stringify(isFirst ? row : withoutNulls(row))}\n`;
      isFirst = false;
      if (chunk.length < CHUNK_CHARS) continue;
      await file.write(chunk);
      chunk = "";
    }
    await file.write(chunk);
  } finally {
    await file.close();
  }
}

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
