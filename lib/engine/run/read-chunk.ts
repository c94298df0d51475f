import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import type { RowForm } from "@/lib/engine/sql/encode";
import { fail } from "@/lib/kernel/errors";
import { readPage } from "./read-page";
import type { SealedVersion } from "./sealed-version";

const ROWS_MAX = 20_000;
const BYTES = 1 << 20;
/** A single row may be larger than a chunk, up to this size. */
const BYTES_MAX = 1 << 28;

/** Consecutive rows of a version in stored order. */
export interface Chunk {
  /** Concatenated, these are the rows in their form, with its separators between them. */
  parts: Uint8Array[];
  /** The position of the last row, after which the next chunk begins; undefined after the last chunk. */
  next: bigint | undefined;
}

/**
 * The rows after a position, about 1 MiB of them. Each call takes a query slot and releases it, so that a slow reader
 * of an entire table does not delay other queries. Throws the same failures as a query, such as `busy`.
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
