/**
 * SQL: whether a text is one JSON document of RFC 8259. DuckDB's own test lets NaN, Infinity and commas at the end
 * pass; strings are taken out to see those.
 */
export function isJsonSql(text: string): string {
  const bare = String.raw`regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '0', 'g')`;
  return String.raw`(json_valid(${text}) AND NOT regexp_matches(${bare}, '(?i)nan|inf|,\s*[\]}]'))`;
}
