/** A line of CSV by RFC 4180; null is an empty cell. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => (cell === null ? "" : quotedCell(cell))).join(",")}\r\n`;

/** Quoted if a reader would otherwise misinterpret it: an empty string is `""`. */
const quotedCell = (text: string): string =>
  text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
