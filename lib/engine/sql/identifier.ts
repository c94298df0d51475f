/** A name as a DuckDB identifier; the only place that quotes one. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A string as a DuckDB literal, for names, paths and the texts of recipes; values of filters are bound instead. The
 * character U+0000 would end the statement, so it is written as `chr(0)`.
 */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return quoted.includes("\0") ? `(${quoted.replaceAll("\0", "' || chr(0) || '")})` : quoted;
}
