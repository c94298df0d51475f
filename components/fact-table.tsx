export interface FactRow {
  key: string;
  /** The first cell names the row. */
  cells: readonly string[];
}

/** A plain table of short texts; the first column holds names in code. */
export function FactTable({ label, head, rows }: { label: string; head: readonly string[]; rows: readonly FactRow[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section aria-label={`Table of ${label.toLowerCase()}`} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full min-w-[34rem] border-collapse text-sm">
        <thead>
          <tr className="border-line-strong border-b text-left text-muted text-xs">
            {head.map((title) => (
              <th key={title} scope="col" className="py-2 pr-6 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="border-line border-b align-top">
              <th scope="row" className="py-1.5 pr-6 text-left font-mono font-normal text-[0.8125rem] leading-[1.375rem]">
                {row.cells[0]}
              </th>
              {row.cells.slice(1).map((cell, at) => (
                <td key={head[at + 1]} className="py-1.5 pr-6">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
