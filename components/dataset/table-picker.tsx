import { formatBytes, formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { explorerUrl } from "@/lib/view/view-address";

type Table = Dataset["tables"][number];

/** The tables of a dataset that has several; the one open below is marked. */
export function TablePicker({ slug, tables, open }: { slug: string; tables: readonly Table[]; open: Table }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {tables.map((table) => (
        <li
          key={table.tableId}
          className={`rounded-lg border bg-raised p-4 ${table === open ? "border-accent" : "border-line"}`}
        >
          <h3 className="text-base">
            <a
              href={`?table=${table.slug}#table`}
              aria-current={table === open ? "true" : undefined}
              className="hover:text-accent"
            >
              {table.name}
            </a>
          </h3>
          {table.description && <p className="mt-1 text-muted text-sm">{table.description}</p>}
          <p className="mt-2 text-muted text-xs tabular-nums">
            {formatPlural(table.rows, "row")}, {formatPlural(table.columns.length, "column")},{" "}
            {formatBytes(table.bytes)}
          </p>
          <p className="mt-2 flex gap-4 text-sm">
            {table === open ? (
              <span className="text-muted">Shown below</span>
            ) : (
              <a className="link" href={`?table=${table.slug}#table`}>
                Columns<span className="sr-only"> of {table.name}</span>
              </a>
            )}
            <a className="link" href={explorerUrl(slug, table.slug)}>
              Explore<span className="sr-only"> {table.name}</span>
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
