import { Chart } from "@/components/chart/chart";
import { isNumeric, valueText } from "@/components/value-text";
import { formatDay, formatPlural } from "@/lib/format";
import type { EmbedData } from "./embed-data";

/**
 * Rows or a chart with their title, and under them whose data they are, which version exactly, and the way to all of
 * it.
 */
export function EmbedView({ data }: { data: EmbedData }) {
  const { dataset, tableName, sentence, chart, columns, rows, isPartial } = data;
  const note = isPartial
    ? `The first ${formatPlural(rows.length, "row")} of the result ${rows.length === 1 ? "is" : "are"} ` +
      `${chart ? "drawn" : "shown"}.`
    : undefined;
  return (
    <>
      <header className="embed-head">
        <h1>{dataset.title}</h1>
        <p>{sentence || tableName}</p>
      </header>
      <main className="embed-main">
        {chart ? (
          <Chart spec={chart} columns={columns} rows={rows} note={note} />
        ) : (
          <EmbedRows data={data} note={note} />
        )}
      </main>
      <EmbedFoot data={data} />
    </>
  );
}

function EmbedRows({ data: { columns, rows, tableName }, note }: { data: EmbedData; note: string | undefined }) {
  if (rows.length === 0) return <p className="chart-problem">No row of this version fits.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <section className="embed-rows" tabIndex={0} aria-label={`Rows of ${tableName}`}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" className={isNumeric(column.type) ? "number" : undefined}>
                  {column.name}
                  {column.unit && <span>, {column.unit}</span>}
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
      {note && <p className="chart-note">{note}</p>}
    </>
  );
}

const TEXT_SHOWN = 200;

function Cell({ text }: { text: string | null }) {
  if (text === null) return <span className="null">null</span>;
  if (text === "") return <span className="null">empty</span>;
  return text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text;
}

function EmbedFoot({ data: { dataset, version, citation, explorerUrl } }: { data: EmbedData }) {
  return (
    <footer className="embed-foot">
      <p>
        Data: {dataset.publisher}, {dataset.license}.{" "}
        <a href={explorerUrl} target="_blank" rel="noopener">
          Explore on Parquetry
        </a>
      </p>
      <details>
        <summary>
          Version of {formatDay(version.publishedAt)}, <code>{version.digest.slice(0, 19)}…</code>
        </summary>
        <p>{citation}</p>
      </details>
    </footer>
  );
}

interface ProblemProps {
  /** What happened. */
  message: string;
  /** What exactly, a line each. */
  details: readonly string[];
  /** Where to go on. */
  href: string;
}

/** Why a frame shows nothing, for whoever put it there. */
export function EmbedProblem({ message, details, href }: ProblemProps) {
  return (
    <main className="embed-problem">
      <h1>{message}</h1>
      {details.length > 0 && (
        <ul>
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      <p>
        <a href={href} target="_blank" rel="noopener">
          Open Parquetry
        </a>
      </p>
    </main>
  );
}
