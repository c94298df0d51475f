import { Chart } from "@/components/chart/chart";
import { formatDay } from "@/lib/kernel/format";
import type { EmbedData } from "./embed-data";
import { RowsTable } from "./rows-table";

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
          <Chart spec={chart} columns={columns} rows={rows} notes={notes} land={land} isBroad />
        ) : (
          <RowsTable label={`Rows of ${tableName}`} columns={columns} rows={rows} />
        )}
        {note && <p className="embed-note">{note}</p>}
      </main>
      <EmbedFoot data={data} />
    </>
  );
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
  /** The details, one per line. */
  details: readonly string[];
  /** Where to continue. */
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
