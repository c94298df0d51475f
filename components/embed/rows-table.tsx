import type { ChartColumn, ChartRow } from "@/components/chart/chart-spec";
import { unitText } from "@/components/values/unit-text";
import { isNumeric, valueText } from "@/components/values/value-text";

interface Props {
  label: string;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
}

/** Rows for a separate document without scripts. */
export function RowsTable({ label, columns, rows }: Props) {
  if (rows.length === 0) return <p className="chart-problem">No rows of this version match.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <section className="embed-rows" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" className={isNumeric(column.type) ? "number" : undefined}>
                  {column.name}
                  {column.unit && <span>, {unitText(column.unit)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page never move.
              <tr key={at}>
                {columns.map((column) => (
                  <td key={column.name} className={isNumeric(column.type) ? "number" : undefined}>
                    <Cell text={valueText(row[column.name], column)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const TEXT_SHOWN = 200;

function Cell({ text }: { text: string | null }) {
  if (text === null) return <span className="null">null</span>;
  if (text === "") return <span className="null">empty</span>;
  return text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text;
}
