import { indexOf } from "./evaluate-cells";
import type { Cell, Table } from "./evaluator";

/** Columns of other tables: a part of the second implementation, row by row. */

export interface Lookup {
  /** Not used: the tables are given. */
  table_id?: string;
  on: Record<string, string>;
  columns: string[];
  as: string;
}

/** The table with the columns of others, and for each of them how many rows have no partner. */
export function withLookups(table: Table, lookups: readonly Lookup[], others: readonly Table[]): Table {
  return lookups.reduce((all, lookup, at) => {
    const other = others[at] ?? { columns: [], rows: [] };
    const read = lookup.columns.map((name) => indexOf(other, name));
    const added = lookup.columns.map((name, nth) => ({
      name: `${lookup.as}.${name}`,
      type: other.columns[read[nth] ?? -1]?.type ?? "",
    }));
    const rows = all.rows.map((row) => {
      const partner = partnerOf(row, table, other, lookup);
      return [...row, ...read.map((column) => partner?.[column] ?? null)];
    });
    return { columns: [...all.columns, ...added], rows };
  }, table);
}

/** The row with the same key, if there is one. Null is no key. */
export function partnerOf(
  row: readonly Cell[],
  table: Table,
  other: Table,
  { on }: Lookup,
): readonly Cell[] | undefined {
  const pairs = Object.entries(on).map(([key, own]) => [indexOf(other, key), indexOf(table, own)] as const);
  return other.rows.find((each) =>
    pairs.every(([key, own]) => each[key] !== null && row[own] !== null && each[key] === row[own]),
  );
}
