import { formatPlural } from "@/lib/kernel/format";

/** What a reader left out of a source for one reason. */
export interface LeftOutCounts {
  /** The cause in words, such as `comment lines`. */
  words: string;
  rows: number;
  cells: number;
  examples: readonly { column: number | null }[];
}

/** `Comment lines: 3 rows`, `Spreadsheet errors, read as null: 4 cells in 2 rows`. */
export function leftOutCountText({ words, rows, cells, examples: [first] }: LeftOutCounts): string {
  const isRows = first === undefined || first.column === null;
  const counts = isRows ? formatPlural(rows, "row") : `${formatPlural(cells, "cell")} in ${formatPlural(rows, "row")}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${counts}`;
}
