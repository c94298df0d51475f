/** A name as a DuckDB identifier; the only place that quotes one. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A string as a DuckDB literal, for names and paths; values of filters are bound instead. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
