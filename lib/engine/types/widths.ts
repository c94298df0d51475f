import type { ColumnType } from "./column-type";
import { parseExact } from "./exact-number";
import { readFilterValue } from "./filter-value";

/**
 * Parses the width of numeric groups for the column's type: greater than 0, and a number that the type holds exactly.
 */
export function readWidth(type: ColumnType, raw: unknown): { text: string } | { rejected: string } {
  const read = readFilterValue(type, raw);
  if ("rejected" in read) return read;
  const isExact = !read.quantised || read.quantised.floor === read.quantised.ceil;
  if (!isExact) return { rejected: `Expected a width that ${type.name} can hold exactly.` };
  const isPositive = (parseExact(read.text)?.coefficient ?? 1n) > 0n && Number(read.text) > 0;
  return isPositive ? { text: read.text } : { rejected: "Expected a width greater than 0." };
}

/**
 * SQL of the lower edge of a value's group, in the column's type: exact for integers and decimals, including negative
 * ones. An edge outside the type's range is a DuckDB error, never another number.
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
