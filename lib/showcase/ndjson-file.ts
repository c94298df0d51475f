import { open } from "node:fs/promises";
import { join } from "node:path";

const CHUNK_CHARS = 1 << 20;

/** Writes one JSON object a line and returns the file's path; holds about 1 MiB of it in memory. */
export async function writeNdjson(workDir: string, name: string, rows: Iterable<object>): Promise<string> {
  const path = join(workDir, `${name}.ndjson`);
  const file = await open(path, "w");
  try {
    let chunk = "";
    for (const row of rows) {
      chunk += `${JSON.stringify(row)}\n`;
      if (chunk.length < CHUNK_CHARS) continue;
      await file.write(chunk);
      chunk = "";
    }
    await file.write(chunk);
  } finally {
    await file.close();
  }
  return path;
}
