import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { type EncodedColumn, valueJson } from "./encode";
import { quoteLiteral } from "./identifier";
import { columnsIn, fromSql, positionOf, type Source, type Statement } from "./sql";

const CELL_MAX = 1000;
const ENCODING = { int64AsText: false };

/** A range of rows in the stored order. */
export interface RowSpan {
  /** Position of the first row, counted from 0. */
  position: number;
  rows: number;
  /** Maximum number of characters of a cell. */
  cellMax?: number;
}

/** The rows as one JSON array, and a string of flags per row: 1 for a cell that was cut, otherwise 0. */
export function previewSql(
  columns: readonly EngineColumn[],
  source: Source,
  { position, rows: limit, cellMax = CELL_MAX }: RowSpan,
): Statement {
  const encoded = columnsIn(source, columns).map((column, index) => ({ ...column, ref: `c${index}` }));
  const cells = encoded.map(
    (column) => `${quoteLiteral(`${JSON.stringify(column.name)}:`)}, ${cellJson(column, cellMax)}`,
  );
  const marks = encoded.map((column) => `CASE WHEN ${isLong(column, cellMax)} THEN '1' ELSE '0' END`);
  const place = positionOf(source);
  const rows =
    `SELECT ${encoded.map(({ ref }) => ref).join(", ")} FROM ${fromSql(source)} ` +
    `WHERE ${place} >= ${position} AND ${place} < ${position + limit} LIMIT ${limit}`;
  const sql =
    `SELECT encode(concat('[', string_agg(j, E',\\n'), ']')), string_agg(m, ',') FROM (SELECT concat('{', ` +
    `${cells.join(", ',', ")}, '}') AS j, concat(${marks.join(", ")}) AS m FROM (${rows}))`;
  return { sql, params: [] };
}

/** A value's JSON text, cut if it is long. */
export function cellJson(column: EncodedColumn, cellMax = CELL_MAX): string {
  const text = longText(column);
  const whole = valueJson(column, ENCODING);
  return text === undefined
    ? whole
    : `CASE WHEN ${isLong(column, cellMax)} THEN CAST(to_json(left(${text}, ${cellMax})) AS VARCHAR) ELSE ${whole} END`;
}

function isLong(column: EncodedColumn, cellMax: number): string {
  const text = longText(column);
  return text === undefined ? "FALSE" : `length(${text}) > ${cellMax}`;
}

/** SQL of the text whose length counts. Undefined for types whose values are short. */
function longText(column: EncodedColumn): string | undefined {
  const { json } = columnTypeOf(column);
  if (!json.isLong) return undefined;
  return json.kind === "string"
    ? (json.value?.(column.ref, column.storage, false) ?? column.ref)
    : valueJson(column, ENCODING);
}
