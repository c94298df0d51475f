import { stringifyExactJson } from "@/lib/formats/exact-json";
import { formatCount } from "@/lib/kernel/format";

export interface RowResult {
  columns: readonly { name: string; type: string }[];
  rows: readonly Readonly<Record<string, unknown>>[];
  truncated: boolean;
  nextCursor: string | null;
  /** Groups rather than rows. */
  grouped?: boolean;
  /** How many there are in all, where that is known. */
  total?: number;
  /** A page after the first. */
  later?: boolean;
}

/** Rows as text: whether that is all, the columns, and each row as a JSON list in their order. */
export function rowText({ columns, rows, ...rest }: RowResult): string {
  const head = columns.map(({ name, type }) => `${name} (${type})`).join(" | ");
  return [
    statusLine(rows.length, rest),
    head,
    ...rows.map((row) => stringifyExactJson(columns.map(({ name }) => row[name]))),
  ].join("\n");
}

function statusLine(
  count: number,
  { truncated, nextCursor, grouped = false, total, later = false }: Omit<RowResult, "columns" | "rows">,
): string {
  const noun = `${grouped ? "group" : "row"}${count === 1 ? "" : "s"}`;
  if (!truncated) return `COMPLETE: ${formatCount(count)} ${noun}${later ? " on this last page" : ""}`;
  const amount =
    total === undefined
      ? `${formatCount(count)} ${noun}, more exist`
      : `${formatCount(count)} of ${formatCount(total)} rows`;
  const rest =
    nextCursor === null
      ? grouped
        ? "; groups have no next page: raise limit, filter, or sort so that the relevant groups come first"
        : ""
      : ", next_cursor below";
  return `PARTIAL: ${amount}${rest}`;
}
