import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { type Chunk, readChunk } from "@/lib/engine/run/read-chunk";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { rowsAsCsv } from "@/lib/engine/sql/row-csv";
import { Failure } from "@/lib/kernel/errors";
import { csvHeader, csvLines } from "./text";

/** Maximum number of times that a chunk waits for a slot, 2 s each by default. */
const ATTEMPTS = 30;

/**
 * An entire version as CSV, in the form of CSV pages and in stored order, in pieces of about 1 MiB. DuckDB writes the
 * lines, fifteen times as fast as this process; only tables with lists, structs or json are written here.
 */
export async function* csvTable(engine: Engine, version: SealedVersion, caller: Caller): AsyncGenerator<Buffer> {
  yield csvHeader(version.columns);
  const form = rowsAsCsv(version.columns);
  let after: bigint | undefined;
  do {
    const { parts, next } = await patiently(() => readChunk(engine, version, { after, form }, caller));
    const lines = form ? Buffer.concat([...parts, Buffer.from("\r\n")]) : csvLines({ ...version, rowParts: parts });
    if (parts.length > 0) yield lines;
    after = next;
  } while (after !== undefined);
}

/** Retries while the service is busy, since a file that has been started should not be cut off. */
async function patiently(read: () => Promise<Chunk>): Promise<Chunk> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Failure) || error.code !== "busy") throw error;
    }
  }
}
