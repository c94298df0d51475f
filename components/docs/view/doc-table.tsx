import { DataTable } from "@/components/ui/data-table";
import type { TableRow } from "@/lib/docs/doc";
import { InlineText } from "./inline-text";

/** A table whose first column names the rows; rows may have their own anchors. */
export function DocTable({ label, head, rows }: { label: string; head: readonly string[]; rows: readonly TableRow[] }) {
  const columns = head.map((title, at) => ({
    id: title,
    head: title,
    cell: ({ cells }: TableRow) => <InlineText text={cells[at] ?? ""} />,
  }));
  const hasIds = rows.every(({ id }) => id !== undefined);
  return (
    <DataTable
      label={label}
      className="doc-table"
      columns={columns}
      rows={rows}
      keyOf={({ id, cells }) => id ?? cells.join(" ")}
      {...(hasIds && { hasIds })}
      scrolls={head.length > 2 ? "min-w-[34rem]" : "min-w-0"}
    />
  );
}
