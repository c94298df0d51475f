import { DataTable } from "@/components/ui/data-table";

export interface FactRow {
  key: string;
  /** The first cell names the row. */
  cells: readonly string[];
}

interface Props {
  label: string;
  head: readonly string[];
  rows: readonly FactRow[];
  /** The first column holds words, not names in code. */
  words?: true;
}

/** A plain table of short texts. */
export function FactTable({ label, head, rows, words }: Props) {
  const columns = head.map((title, at) => ({
    id: title,
    head: title,
    cell: ({ cells }: FactRow) => (at > 0 || words ? cells[at] : <span className="font-mono text-[0.8125rem]">{cells[0]}</span>),
  }));
  return (
    <DataTable
      label={`Table of ${label.toLowerCase()}`}
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      scrolls={head.length > 2 ? "min-w-[34rem]" : "min-w-0"}
    />
  );
}
