import type { ColumnType } from "./column-type";
import { parseExact } from "./exact-number";
import { readFilterValue } from "./filter-value";

/** Reads the width of numeric groups for its column's type: more than 0, and held by the type exactly. */
export function readWidth(type: ColumnType, raw: unknown): { text: string } | { rejected: string } {
  const read = readFilterValue(type, raw);
  if ("rejected" in read) return read;
  const isExact = !read.quantised || read.quantised.floor === read.quantised.ceil;
  if (!isExact) return { rejected: `Expected a width that ${type.name} can hold exactly.` };
  const isPositive = (parseExact(read.text)?.coefficient ?? 1n) > 0n && Number(read.text) > 0;
  return isPositive ? { text: read.text } : { rejected: "Expected a width greater than 0." };
}

/**
 * SQL of the lower edge of the group that a value is in, in the column's type: exact for integers and decimals, below
 * negative values too. An edge outside of the type is an error of DuckDB's, never another number.
 */
export function widthSql(ref: string, width: string, { number, duckdb }: ColumnType): string {
  const size = `CAST('${width}' AS ${duckdb})`;
  if (number?.isFloat) {
    const [value, by] = [ref, size].map((sql) => (number.bits === 32 ? `CAST(${sql} AS DOUBLE)` : sql));
    return `CAST(floor(${value} / ${by}) * ${by} + 0.0 AS ${duckdb})`;
  }
  const [rest, none] = [`${ref} % ${size}`, `CAST(0 AS ${duckdb})`];
  return `CAST(${ref} - ${rest} - CASE WHEN ${rest} < 0 THEN ${size} ELSE ${none} END AS ${duckdb})`;
}
