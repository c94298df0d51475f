import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import type { RowForm } from "@/lib/engine/sql/encode";
import { fail } from "@/lib/kernel/errors";
import type { SealedVersion } from "./query";
import { readPage } from "./read-page";

const ROWS_MAX = 20_000;
const BYTES = 1 << 20;
/** A single row may be larger than a chunk, up to this. */
const BYTES_MAX = 1 << 28;

/** Consecutive rows of a version in stored order. */
export interface Chunk {
  /** Concatenated, the rows in their form with its separators between them. */
  parts: Uint8Array[];
  /** The position of the last row, from which the next chunk goes on; undefined after the last one. */
  next: bigint | undefined;
}

/**
 * The rows after a position, about 1 MiB of them. Each call takes a query's slot and gives it back, so that a whole
 * table that a slow reader takes holds up nobody's queries. Throws what a query throws, such as `busy`.
 */
export async function readChunk(
  engine: Engine,
  version: SealedVersion,
  { after, form }: { after: bigint | undefined; form?: RowForm | undefined },
  caller: Caller,
): Promise<Chunk> {
  const columns = version.columns.map((_, index) => index);
  const query = {
    plan: { kind: "rows" as const, columns, conditions: [], order: [] },
    digest: Buffer.alloc(0),
    after,
    limit: ROWS_MAX,
    offset: 0,
    int64AsText: false,
    total: false,
    ...(form && { form }),
  };
  for (let bytes = BYTES; bytes <= BYTES_MAX; bytes *= 4) {
    const { rows } = await engine.run((session) => readPage(engine, session, version, query, () => bytes), caller);
    if (!rows.tooLarge) return { parts: rows.parts, next: rows.hasMore ? rows.last : undefined };
  }
  throw fail("result_too_large");
}
