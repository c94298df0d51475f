import { blobBytes } from "@/lib/engine/duckdb/duckdb";
import type { Session } from "@/lib/engine/duckdb/engine";
import { isFiltered } from "@/lib/engine/plan/plan";
import type { Plan, RowsPlan } from "@/lib/engine/plan/planned";
import { columnAt } from "@/lib/engine/plan/result-columns";
import { type Segment, segmentsAfter } from "@/lib/engine/plan/segments";
import type { Encoding } from "@/lib/engine/sql/encode";
import { countMissingSql, groupsSql } from "@/lib/engine/sql/group-sql";
import { keysSql, pageSql, ROWS_AS_JSON, type Source, type Statement } from "@/lib/engine/sql/sql";
import type { Family } from "@/lib/engine/types/column-type";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { type CellPart, readCell } from "./read-cell";

export interface RowsRange extends Encoding {
  limit: number;
  offset: number;
  after: bigint | undefined;
  /** Maximum size of the rows' JSON, in bytes. */
  bytesMax: number;
  /** Bytes of each row's JSON that do not count. */
  unsentBytes?: number | undefined;
  /** Average bytes per row of the requested columns. */
  rowBytes: number;
  mayContainNull: (column: number) => boolean;
}

/** A page's rows as JSON: concatenated, `parts` are the contents of an array. */
export interface Rows {
  parts: Uint8Array[];
  taken: number;
  /** The position of the last row taken. */
  last: bigint | undefined;
  hasMore: boolean;
  /** Whether the first row, or a grouped result, is over the byte limit. */
  tooLarge: boolean;
  /** For each lookup, how many of the rows, or of those that match, have no partner in the other table. */
  missing: readonly number[];
  /** The part read by a plan that reads one cell. */
  cell?: CellPart;
}

interface Part {
  json: Uint8Array;
  taken: number;
  seen: number;
  last: bigint | undefined;
  missing: readonly number[];
}

const SEPARATOR_BYTES = 2;

const TAKE_MIN = 64;

/** Maximum size of an average row that a sort carries. 10,000 such rows per thread are well below any memory limit. */
const CARRIED_BYTES_MAX = 512;

/** Reads a plan's rows from one source, segment by segment until the page is full. */
export async function readRows(
  session: Session,
  source: Source,
  columns: readonly EngineColumn[],
  plan: Plan,
  range: RowsRange,
): Promise<Rows> {
  if (plan.kind === "rows") return await readSegments(session, source, columns, plan, range);
  if (plan.kind === "cell") {
    const { json, cell } = await readCell(session, source, columns, plan, range.bytesMax);
    const missing = await countMissing(session, source, plan);
    return { parts: [json], taken: 1, last: undefined, hasMore: false, tooLarge: false, missing, cell };
  }
  const part = await readPart(
    session,
    source,
    groupsSql(plan, columns, source, { ...range, take: range.limit, skip: 0 }, range),
  );
  return {
    parts: [part.json],
    taken: part.taken,
    last: undefined,
    hasMore: part.seen > part.taken,
    tooLarge: part.taken < Math.min(part.seen, range.limit),
    missing: await countMissing(session, source, plan),
  };
}

/** For each lookup, how many of the rows that match have no partner. */
async function countMissing(session: Session, source: Source, plan: Plan): Promise<number[]> {
  if (!plan.lookups) return [];
  const [row = []] = await session.all(countMissingSql(plan, source));
  return row.map(Number);
}

/**
 * Reads segment after segment, and starts again from the last row taken if one statement cannot read the entire page.
 */
async function readSegments(
  session: Session,
  source: Source,
  columns: readonly EngineColumn[],
  plan: RowsPlan,
  range: RowsRange,
): Promise<Rows> {
  const page: Page = {
    rows: { parts: [], taken: 0, last: undefined, hasMore: false, tooLarge: false, missing: [] },
    room: range.bytesMax,
    takeMax: takeMaxOf(range),
    mayCarry: range.rowBytes <= CARRIED_BYTES_MAX,
  };
  const separator = Buffer.from((range.form ?? ROWS_AS_JSON).separator);
  for (;;) {
    const after = page.rows.last ?? range.after;
    const outcome = await fillPage(
      page,
      await segmentsOf(session, source, columns, plan, { ...range, after }),
      (segment, take) => {
        const skip = after === undefined ? range.offset : 0;
        const { unsentBytes } = range;
        const room = { take, skip, bytesMax: page.room, unsentBytes, mayCarry: page.mayCarry };
        return readPart(session, source, pageSql(plan, columns, source, segment, room, range));
      },
      range,
      separator,
    );
    if (outcome !== "again")
      return { ...page.rows, hasMore: outcome === "more", tooLarge: outcome === "more" && page.rows.taken === 0 };
  }
}

interface Page {
  rows: Rows;
  /** Remaining bytes. */
  room: number;
  /** Rows that one statement may read. */
  takeMax: number;
  /** Whether a sort may carry complete rows. */
  mayCarry: boolean;
}

/**
 * A page of wide rows reaches its byte limit long before its row limit. Reading all rows first would exhaust the
 * memory.
 */
function takeMaxOf({ bytesMax, rowBytes, limit }: RowsRange): number {
  return rowBytes > 0 ? Math.min(limit, Math.max(TAKE_MIN, Math.ceil((2 * bytesMax) / rowBytes))) : limit;
}

async function fillPage(
  page: Page,
  segments: readonly Segment[],
  read: (segment: Segment, take: number) => Promise<Part>,
  { limit, unsentBytes = 0 }: Pick<RowsRange, "limit" | "unsentBytes">,
  separator: Buffer,
): Promise<"end" | "more" | "again"> {
  for (const segment of segments) {
    const take = Math.min(limit - page.rows.taken, page.takeMax);
    const part = await read(segment, take).catch((error: unknown) => narrowed(page, take, error));
    if (!part) return "again";
    if (part.taken > 0) page.rows.parts.push(...(page.rows.taken > 0 ? [separator] : []), part.json);
    page.rows.taken += part.taken;
    page.rows.last = part.last ?? page.rows.last;
    page.rows.missing = part.missing.map((count, at) => count + (page.rows.missing[at] ?? 0));
    page.room -= part.json.byteLength + SEPARATOR_BYTES - part.taken * unsentBytes;
    if (part.seen > part.taken) return part.taken === take && page.rows.taken < limit ? "again" : "more";
  }
  return "end";
}

/** Reads fewer rows at once after a statement ran out of memory. Rethrows other errors, and this one at the minimum. */
function narrowed(page: Page, take: number, error: unknown): undefined {
  if (!(error instanceof Error) || !error.message.startsWith("Out of Memory Error")) throw error;
  if (page.mayCarry) {
    page.mayCarry = false;
    return undefined;
  }
  if (take <= TAKE_MIN) throw error;
  page.takeMax = Math.max(TAKE_MIN, take >> 4);
  return undefined;
}

async function segmentsOf(
  session: Session,
  source: Source,
  columns: readonly EngineColumn[],
  plan: RowsPlan,
  range: RowsRange,
): Promise<Segment[]> {
  const { after, mayContainNull } = range;
  if (after === undefined)
    return [{ equal: [], order: plan.order, isBounded: isBounded(source, columns, plan, range) }];
  if (plan.order.length === 0) return segmentsAfter([], [], after, mayContainNull);
  const [keys] = await session.all(keysSql(plan.order, source, after), source.kind === "copy");
  if (!keys) throw new Error("The cursor's row is not in the version");
  const values = keys.map((key) => (key === null ? null : String(key)));
  return segmentsAfter(plan.order, values, after, mayContainNull);
}

/** Up to this many rows, DuckDB sorts without reading the other columns first. */
const BOUNDED_MAX = 20_000;
const BOUNDED: ReadonlySet<Family> = new Set<Family>(["numeric", "date", "timestamp"]);

/**
 * Whether finding the last value first pays off. It reads the column twice, which costs more than the sort for filtered
 * rows and for strings, which often have few distinct values. A null never satisfies the bound.
 */
function isBounded(
  source: Source,
  columns: readonly EngineColumn[],
  plan: RowsPlan,
  { limit, offset, mayContainNull }: RowsRange,
): boolean {
  const [first] = plan.order;
  if (!first || source.kind !== "copy" || source.joined || isFiltered(plan) || limit + offset >= BOUNDED_MAX)
    return false;
  return BOUNDED.has(columnTypeOf(columnAt(columns, first.column)).family) && !mayContainNull(first.column);
}

async function readPart(session: Session, source: Source, statement: Statement): Promise<Part> {
  const [row] = await session.all(statement, source.kind === "copy");
  const [json, taken, seen, last, ...missing] = row as [unknown, bigint, bigint, bigint | number | null, ...bigint[]];
  return {
    json: blobBytes(json),
    taken: Number(taken),
    seen: Number(seen),
    last: last === null ? undefined : BigInt(last),
    missing: missing.map(Number),
  };
}
