/**
 * SQL: whether a string is one JSON document according to RFC 8259. DuckDB's own test accepts NaN, Infinity and
 * trailing commas. To detect those, strings are removed first.
 */
export function isJsonSql(text: string): string {
  const bare = String.raw`regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '0', 'g')`;
  return String.raw`(json_valid(${text}) AND NOT regexp_matches(${bare}, '(?i)nan|inf|,\s*[\]}]'))`;
}
