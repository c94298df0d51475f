import { bandSql, isBandWidth, WIDTH_RULE } from "./bands";
import type { GroupSql } from "./buckets";
import type { ColumnType } from "./column-type";
import { readFilterValue } from "./filter-value";
import { FLOAT64 } from "./floats";

/**
 * Parses the width of numeric groups for the column's type: greater than 0, and a number that the type holds exactly
 * or, for floats, a short decimal.
 */
export function readWidth(type: ColumnType, raw: unknown): { text: string } | { rejected: string } {
  const isFloat = type.number?.isFloat === true;
  const read = readFilterValue(isFloat ? FLOAT64 : type, raw);
  if ("rejected" in read) return read;
  const isExact = !read.quantised || read.quantised.floor === read.quantised.ceil;
  if (!isExact) return { rejected: `Expected a width that ${type.name} can hold exactly.` };
  if (!read.exact || read.exact.coefficient <= 0n) return { rejected: "Expected a width greater than 0." };
  return isFloat && !isBandWidth(read.exact) ? { rejected: WIDTH_RULE } : { text: read.text };
}

/**
 * SQL of a value's group, and of the group's lower edge in the column's type: exact for all numbers, including negative
 * ones. An edge outside the type's range, and a value that is in no band, are DuckDB errors, never another number.
 * `isNear`: of floats, see `bandSql`.
 */
export function widthSql(ref: string, width: string, { number, duckdb }: ColumnType, isNear = false): GroupSql {
  if (number?.isFloat) return bandSql(ref, width, number.bits, isNear);
  const size = `CAST('${width}' AS ${duckdb})`;
  const [rest, none] = [`${ref} % ${size}`, `CAST(0 AS ${duckdb})`];
  const edge = `CAST(${ref} - ${rest} - CASE WHEN ${rest} < 0 THEN ${size} ELSE ${none} END AS ${duckdb})`;
  return { key: edge, value: edge };
}

/**
 * SQL of a group's place among those of a width, from its lower edge, or from its band for floats: a whole number, 1
 * apart for neighbours, and null for NaN and infinities.
 */
export function widthPlaceSql(key: string, width: string, { number, duckdb }: ColumnType): string {
  if (number?.isFloat) return `CASE WHEN isfinite(${key}) THEN ${key} END`;
  if (number?.scale === 0) return `CAST(${key} AS HUGEINT) // ${width}`;
  const digits = (value: string) => `CAST(replace(CAST(${value} AS VARCHAR), '.', '') AS HUGEINT)`;
  return `${digits(key)} // ${digits(`CAST('${width}' AS ${duckdb})`)}`;
}
