import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { isFiltered } from "@/lib/engine/plan/plan";
import type { RowsPlan } from "@/lib/engine/plan/planned";
import { columnAt, plannedColumns } from "@/lib/engine/plan/result-columns";
import type { RowForm } from "@/lib/engine/sql/encode";
import { longestSql } from "@/lib/engine/sql/longest-sql";
import { Failure, fail } from "@/lib/kernel/errors";
import { countResult, readPage } from "./read-page";
import { readPlanned } from "./read-planned";
import type { SealedVersion } from "./sealed-version";

const ROWS_MAX = 20_000;
const BYTES = 1 << 20;
/** Rows in stored order continue where a piece ended at no cost; others are sorted again for each piece. */
const SORTED_BYTES = 1 << 23;
/** A single row may be larger than a piece, up to this size. */
const BYTES_MAX = 1 << 28;
/** Maximum number of times that a piece waits for a slot, 2 s each by default. */
const ATTEMPTS = 30;

/** Which rows are read from the first to the last, and in which form. */
export interface Iteration {
  plan: RowsPlan;
  /** JSON by default. */
  form?: RowForm | undefined;
  /** Ends after this many rows. */
  rowsMax?: number | undefined;
  /** Size of a piece if the rows are in stored order; 1 MiB by default. */
  bytes?: number | undefined;
  /** Called with the number of rows of each piece. */
  onPiece?: (rows: number) => void;
}

/** Consecutive rows of an iteration. */
export interface Piece {
  /** Concatenated, these are the rows in their form, with its separators between them. */
  parts: Uint8Array[];
  rows: number;
}

/** The plan of all columns and rows of a version, in stored order. */
export const wholePlan = ({ columns }: Pick<SealedVersion, "columns">): RowsPlan => ({
  kind: "rows",
  columns: columns.map((_, index) => index),
  conditions: [],
  order: [],
});

/**
 * All rows of a plan in its order, in pieces of about 1 MiB (8 MiB if they are sorted). Each piece takes a query slot
 * and releases it, so that a slow reader of many rows does not delay other queries; while the service is busy, it
 * waits, since a file that has been started should not be cut off. Throws the same failures as a query.
 */
export async function* iterateRows(
  engine: Engine,
  version: SealedVersion,
  iteration: Iteration,
  caller: Caller,
): AsyncGenerator<Piece> {
  let left = iteration.rowsMax ?? Infinity;
  let after: bigint | undefined;
  do {
    const { next, ...piece } = await patiently(() => readPiece(engine, version, iteration, { after, left }, caller));
    iteration.onPiece?.(piece.rows);
    if (piece.rows > 0) yield piece;
    left -= piece.rows;
    after = left > 0 ? next : undefined;
  } while (after !== undefined);
}

async function readPiece(
  engine: Engine,
  version: SealedVersion,
  { plan, form, bytes: storedBytes = BYTES }: Iteration,
  { after, left }: { after: bigint | undefined; left: number },
  caller: Caller,
): Promise<Piece & { next: bigint | undefined }> {
  const query = {
    plan,
    digest: Buffer.alloc(0),
    after,
    limit: Math.min(ROWS_MAX, left),
    offset: 0,
    int64AsText: false,
    total: false,
    ...(form && { form }),
  };
  const isStored = plan.order.length === 0 && !plan.top;
  for (let bytes = isStored ? storedBytes : SORTED_BYTES; bytes <= BYTES_MAX; bytes *= 4) {
    const { rows } = await engine.run((session) => readPage(engine, session, version, query, () => bytes), caller);
    if (!rows.tooLarge) return { parts: rows.parts, rows: rows.taken, next: rows.hasMore ? rows.last : undefined };
  }
  throw fail("result_too_large");
}

/** Retries while the service is busy. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Failure) || error.code !== "busy") throw error;
    }
  }
}

/** The number of rows of an iteration. */
export async function countRows(
  engine: Engine,
  version: SealedVersion,
  { plan, rowsMax = Infinity }: Iteration,
  caller: Caller,
): Promise<number> {
  const all = isFiltered(plan)
    ? await engine.run((session) => countResult(engine, session, version, plan), caller)
    : version.rows;
  return Math.min(all, rowsMax);
}

/** The column with the longest value as text, if any is longer than `unitsMax` UTF-16 code units. */
export async function findLongText(
  engine: Engine,
  version: SealedVersion,
  { plan }: Iteration,
  unitsMax: number,
  caller: Caller,
): Promise<{ column: string; units: number } | undefined> {
  const found = await engine.run(
    (session) =>
      readPlanned(engine, version, plan, async (source) => {
        const columns = plannedColumns(plan, version.columns);
        const { of, ...statement } = longestSql(plan, columns, source, unitsMax);
        const [lengths = []] = of.length > 0 ? await session.all(statement) : [];
        return of.map((column, at) => ({
          column: columnAt(columns, column).name,
          units: Number(lengths[at] ?? 0),
        }));
      }),
    caller,
  );
  const [longest] = found.sort((a, b) => b.units - a.units);
  return longest && longest.units > unitsMax ? longest : undefined;
}
