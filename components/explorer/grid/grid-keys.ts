/** A cell by row and column, both from 0; row -1 is the head's. */
export interface Place {
  row: number;
  column: number;
}

export interface Extent {
  rows: number;
  columns: number;
  /** How many rows a page key moves by. */
  page: number;
}

/** The cell that a key moves to; undefined for keys that the grid does not handle. */
export function placeAfter(
  key: string,
  { row, column }: Place,
  { rows, columns, page }: Extent,
  far: boolean,
): Place | undefined {
  const moved: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: row - page, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? rows - 1 : row, column: columns - 1 },
  };
  const next = Object.hasOwn(moved, key) ? moved[key] : undefined;
  const top = row <= 0 && (key === "ArrowUp" || row < 0) && key !== "ArrowDown" ? HEAD : 0;
  return next && { row: clamp(next.row, top, rows), column: clamp(next.column, 0, columns) };
}

/** The head is entered by one step up from the first row, and left by one step down. */
const HEAD = -1;

const clamp = (value: number, low: number, count: number): number => Math.max(low, Math.min(count - 1, value));
