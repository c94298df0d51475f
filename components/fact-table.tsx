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
  const name = words ? "" : "font-mono text-[0.8125rem] leading-[1.375rem]";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section aria-label={`Table of ${label.toLowerCase()}`} tabIndex={0} className="relative overflow-x-auto">
      <table className={`w-full border-collapse text-sm ${head.length > 2 ? "min-w-[34rem]" : ""}`}>
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
              <th scope="row" className={`py-1.5 pr-6 text-left font-normal ${name}`}>
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
