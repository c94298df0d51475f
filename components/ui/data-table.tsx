import type { ReactNode } from "react";

export interface DataColumn<Row> {
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures: right-aligned, of equal width. */
  isNumber?: true;
  /** Hidden on phones, where the row's first cell includes it in small print. */
  isWide?: true;
  /** Whether the head is only for screen readers, such as for a column of buttons. */
  isHeadHidden?: true;
  /** Takes the remaining width. */
  isRest?: true;
}

interface Props<Row> {
  /** What the table contains, for screen readers. */
  label: string;
  /** The first column names the row. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Whether the key is also the row's id, so that URLs can link to it. */
  hasIds?: true;
  /** For tables wider than a phone: the table scrolls on its own and is reachable by keyboard. */
  scrolls?: "min-w-0" | "min-w-[34rem]" | "min-w-[46rem]" | "max-h-96";
  className?: string;
}

/** THE table for lists of keys, versions or routes, with text, figures and buttons. Rows of data are in a grid. */
export function DataTable<Row>({ label, columns, rows, keyOf, hasIds, scrolls, className = "" }: Props<Row>) {
  const table = (
    <table className={`data-table ${scrolls?.startsWith("min-w") ? scrolls : ""} ${className}`}>
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={lookOf(column)}>
              {column.isHeadHidden ? <span className="sr-only">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} id={hasIds && keyOf(row)}>
            {columns.map((column, at) => (
              <Cell key={column.id} column={column} row={row} isFirst={at === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!scrolls) return table;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
      tabIndex={0}
      className={`relative overflow-auto ${scrolls === "max-h-96" ? scrolls : ""}`}
    >
      {table}
    </section>
  );
}

function Cell<Row>({ column, row, isFirst }: { column: DataColumn<Row>; row: Row; isFirst: boolean }) {
  const className = lookOf(column);
  if (!isFirst) return <td className={className}>{column.cell(row)}</td>;
  return (
    <th scope="row" className={className}>
      {column.cell(row)}
    </th>
  );
}

const lookOf = <Row,>({ isNumber, isWide, isRest }: DataColumn<Row>): string | undefined =>
  [isNumber && "number", isWide && "hidden whitespace-nowrap sm:table-cell", isRest && "w-full"]
    .filter(Boolean)
    .join(" ") || undefined;
