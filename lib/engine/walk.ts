import type { EngineColumn } from "./column-types";
import { blobBytes } from "./duckdb";
import type { Encoding } from "./encode";
import type { Session } from "./engine";
import type { Plan, RowsPlan } from "./plan";
import { type Segment, segmentsAfter } from "./segments";
import { groupsSql, keysSql, pageSql, type Source, type Statement } from "./sql";

export interface RowsRange extends Encoding {
  limit: number;
  offset: number;
  after: bigint | undefined;
  /** Of the rows' JSON. */
  bytesMax: number;
  mayHoldNull: (column: number) => boolean;
}

/** A page's rows as JSON: `parts` concatenated are the inside of an array. */
export interface Rows {
  parts: Uint8Array[];
  taken: number;
  /** The position of the last row taken. */
  last: bigint | undefined;
  hasMore: boolean;
  /** Whether the first row, or a grouped result, is over the byte limit. */
  tooLarge: boolean;
}

interface Part {
  json: Uint8Array;
  taken: number;
  seen: number;
  last: bigint | undefined;
}

const SEPARATOR = Buffer.from(",\n");

/** Reads a plan's rows from one source, segment by segment until the page is full. */
export async function readRows(session: Session, source: Source, columns: readonly EngineColumn[], plan: Plan, range: RowsRange): Promise<Rows> {
  if (plan.kind === "rows") return await readSegments(session, source, columns, plan, range);
  const part = await readPart(session, groupsSql(plan, columns, source, { take: range.limit, skip: 0, bytesMax: range.bytesMax }, range));
  return { parts: [part.json], taken: part.taken, last: undefined, hasMore: part.seen > part.taken, tooLarge: part.taken < Math.min(part.seen, range.limit) };
}

async function readSegments(session: Session, source: Source, columns: readonly EngineColumn[], plan: RowsPlan, range: RowsRange): Promise<Rows> {
  const rows: Rows = { parts: [], taken: 0, last: undefined, hasMore: false, tooLarge: false };
  let room = range.bytesMax;
  for (const segment of await segmentsOf(session, source, plan, range)) {
    const take = range.limit - rows.taken;
    const part = await readPart(
      session,
      pageSql(plan, columns, source, segment, { take, skip: range.after === undefined ? range.offset : 0, bytesMax: room }, range),
    );
    if (part.taken > 0) rows.parts.push(...(rows.taken > 0 ? [SEPARATOR] : []), part.json);
    rows.taken += part.taken;
    rows.last = part.last ?? rows.last;
    room -= part.json.byteLength + SEPARATOR.byteLength;
    if (part.seen > part.taken) return { ...rows, hasMore: true, tooLarge: rows.taken === 0 };
  }
  return rows;
}

async function segmentsOf(session: Session, source: Source, plan: RowsPlan, { after, mayHoldNull }: RowsRange): Promise<Segment[]> {
  if (after === undefined) return [{ equal: [], order: plan.order }];
  if (plan.order.length === 0) return segmentsAfter([], [], after, mayHoldNull);
  const [keys] = await session.all(keysSql(plan.order, source, after));
  if (!keys) throw new Error("The cursor's row is not in the version");
  const values = keys.map((key) => (key === null ? null : String(key)));
  return segmentsAfter(plan.order, values, after, mayHoldNull);
}

async function readPart(session: Session, statement: Statement): Promise<Part> {
  const [row] = await session.all(statement);
  const [json, taken, seen, last] = row as [unknown, bigint, bigint, bigint | number | null];
  return { json: blobBytes(json), taken: Number(taken), seen: Number(seen), last: last === null ? undefined : BigInt(last) };
}
