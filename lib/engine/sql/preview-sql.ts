import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { type EncodedColumn, valueJson } from "./encode";
import { quoteLiteral } from "./identifier";
import { fromSql, positionOf, type Source, type Statement } from "./sql";

const CELL_MAX = 1000;
const ENCODING = { int64AsText: false };

/** The first rows as one JSON array, and a string of flags for each row: 1 for a cell that was cut, else 0. */
export function previewSql(columns: readonly EngineColumn[], source: Source, limit: number): Statement {
  const encoded = columns.map((column, index) => ({ ...column, ref: `c${index}` }));
  const cells = encoded.map((column) => `${quoteLiteral(`${JSON.stringify(column.name)}:`)}, ${cellJson(column)}`);
  const marks = encoded.map((column) => `CASE WHEN ${isLong(column)} THEN '1' ELSE '0' END`);
  const rows =
    `SELECT ${encoded.map(({ ref }) => ref).join(", ")} FROM ${fromSql(source)} WHERE ${positionOf(source)} < ` +
    `${limit} LIMIT ${limit}`;
  const sql =
    `SELECT encode(concat('[', string_agg(j, E',\\n'), ']')), string_agg(m, ',') FROM (SELECT concat('{', ` +
    `${cells.join(", ',', ")}, '}') AS j, concat(${marks.join(", ")}) AS m FROM (${rows}))`;
  return { sql, params: [] };
}

/** A value's JSON text, cut if it is long. */
export function cellJson(column: EncodedColumn): string {
  const text = longText(column);
  const whole = valueJson(column, ENCODING);
  return text === undefined
    ? whole
    : `CASE WHEN ${isLong(column)} THEN CAST(to_json(left(${text}, ${CELL_MAX})) AS VARCHAR) ELSE ${whole} END`;
}

function isLong(column: EncodedColumn): string {
  const text = longText(column);
  return text === undefined ? "FALSE" : `length(${text}) > ${CELL_MAX}`;
}

/** The text whose length counts. Undefined for types whose values are short. */
function longText(column: EncodedColumn): string | undefined {
  const { json } = columnTypeOf(column);
  if (!json.isLong) return undefined;
  return json.kind === "string"
    ? (json.value?.(column.ref, column.storage, false) ?? column.ref)
    : valueJson(column, ENCODING);
}
