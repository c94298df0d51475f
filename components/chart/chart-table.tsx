import { isNumeric, valueText } from "@/components/values/value-text";
import { formatCount } from "@/lib/kernel/format";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { columnTitle } from "./chart-text";
import { spanText } from "./span-text";

const ROWS_MAX = 200;

/** The chart's values as a table, for readers who cannot see it or want the numbers. */
export function ChartTable({
  spec,
  columns,
  rows,
  name,
}: {
  spec: ChartSpec;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  name: string;
}) {
  const wanted = [...new Set([spec.x, spec.series, spec.y, spec.size])];
  const shown = wanted.flatMap((column) => columns.find(({ name: own }) => own === column) ?? []);
  return (
    <details className="chart-table">
      <summary>Show values as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <section tabIndex={0} aria-label={`Values of ${name}`}>
        <table className="data-table">
          <thead>
            <tr>
              {shown.map((column) => (
                <th key={column.name} scope="col" className={isNumeric(column.type) ? "number" : undefined}>
                  {columnTitle(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_MAX).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of one result never move.
              <tr key={at}>
                {shown.map((column) => (
                  <td key={column.name} className={isNumeric(column.type) ? "number" : undefined}>
                    {spanText(row[column.name], column) ?? valueText(row[column.name], column) ?? (
                      <span className="null">null</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > ROWS_MAX && (
          <p className="chart-note">
            Showing the first {ROWS_MAX} of {formatCount(rows.length)} rows.
          </p>
        )}
      </section>
    </details>
  );
}
