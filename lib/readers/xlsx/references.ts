/** Excel's own limits. */
export const SHEET_COLUMNS = 16_384;
export const SHEET_ROWS = 1_048_576;

export interface CellPosition {
  column: number;
  /** Undefined if the reference has none. */
  row: number | undefined;
}

/** The place of `B12`, in either case; undefined if there is no such cell. */
export function positionOf(reference: string): CellPosition | undefined {
  let [at, column] = [0, 0];
  for (; column <= SHEET_COLUMNS; at += 1) {
    const letter = (reference.charCodeAt(at) | 0x20) - 0x60;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  const row = Number(reference.slice(at));
  if (column === 0 || column > SHEET_COLUMNS || !Number.isInteger(row) || row < 0 || row > SHEET_ROWS) return undefined;
  return { column, row: row === 0 ? undefined : row };
}

/** Letters of a column. */
export function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return `${rest > 0 ? columnName(rest) : ""}${String.fromCharCode(0x41 + ((column - 1) % 26))}`;
}

export interface Range {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The cells of `B3:D9`; of the whole sheet by default. */
export function rangeOf(text: string | undefined): Range {
  const [from = "", to = ""] = (text ?? "").split(":");
  const [first, last] = [positionOf(from), positionOf(to)];
  return {
    left: first?.column ?? 1,
    top: first?.row ?? 1,
    right: last?.column ?? SHEET_COLUMNS,
    bottom: last?.row ?? SHEET_ROWS,
  };
}
