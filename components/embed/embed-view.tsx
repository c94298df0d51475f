import { Chart } from "@/components/chart/chart";
import { unitText } from "@/components/values/unit-text";
import { isNumeric, valueText } from "@/components/values/value-text";
import { formatDay } from "@/lib/kernel/format";
import type { EmbedData } from "./embed-data";

/** Rows or a chart with a title and, below, the publisher, the exact version and a link to the whole table. */
export function EmbedView({ data }: { data: EmbedData }) {
  const { dataset, tableName, title, note, sentence, extent, chart, columns, rows, notes, land } = data;
  return (
    <>
      <header className="embed-head">
        <h1>{title ?? dataset.title}</h1>
        <p>
          <b>{extent}</b>
          {sentence ? `. ${sentence}` : ` of ${tableName}`}
          {title && ` ${dataset.title}.`}
        </p>
      </header>
      <main className="embed-main">
        {chart ? (
          <Chart spec={chart} columns={columns} rows={rows} notes={notes} land={land} />
        ) : (
          <EmbedRows data={data} />
        )}
        {note && <p className="embed-note">{note}</p>}
      </main>
      <EmbedFoot data={data} />
    </>
  );
}

function EmbedRows({ data: { columns, rows, tableName } }: { data: EmbedData }) {
  if (rows.length === 0) return <p className="chart-problem">No row of this version matches.</p>;
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

/** Why a frame shows nothing, for its author. */
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
