import { Download } from "lucide-react";
import Link from "next/link";
import { ShareBars } from "@/components/profile/share-bars";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatBytes, formatCount, formatDay, formatPlural } from "@/lib/kernel/format";
import type { Comparison } from "@/lib/schemas/comparison";
import { downloadUrl } from "@/lib/view/view-address";
import { ChangedRows } from "./changed-rows";
import { ColumnDifferences } from "./column-differences";
import { compareUrl, versionUrl } from "./compare-address";
import { ComparedProfiles } from "./compared-profiles";

interface Props {
  slug: string;
  comparison: Comparison;
  now: Date;
  /** Why the rows that differ cannot be downloaded, if they cannot. */
  tooLarge: string | undefined;
}

/**
 * Two versions of a table side by side: how many rows differ and how, changes to columns, and their value
 * distributions.
 */
export function ComparisonView({ slug, comparison, now, tooLarge }: Props) {
  const { table, from, to, rows } = comparison;
  return (
    <section id="comparison" aria-labelledby="comparison-title" className="comparison">
      <h2 id="comparison-title" className="text-2xl">
        {table.name}: {nameOf(from)} compared with {nameOf(to)}
      </h2>
      <dl className="comparison-sides">
        <Side slug={slug} name="From" version={from} now={now} />
        <Side slug={slug} name="To" version={to} now={now} />
      </dl>
      <RowFigures comparison={comparison} />
      <p className="mt-3 max-w-[80ch] text-muted text-sm">{methodText(rows)}</p>
      <p className="mt-2 text-sm">
        <Link
          className="link"
          prefetch={false}
          href={compareUrl(slug, { table: table.slug, from: to.version_id, to: from.version_id })}
        >
          Swap versions
        </Link>
      </p>
      {hasDifferences(rows) && (
        <DifferenceFiles slug={slug} table={table.slug} from={from.version_id} to={to.version_id} tooLarge={tooLarge} />
      )}
      <ColumnDifferences comparison={comparison} />
      {rows && <ChangedColumns rows={rows} />}
      {rows && <ChangedRows comparison={comparison} rows={rows} />}
      <ComparedProfiles comparison={comparison} />
    </section>
  );
}

/** The source's name for a version, else the day on which it was published. */
export const nameOf = ({ label, published_at: at }: Comparison["from"]): string => label ?? formatDay(at);

function Side({ slug, name, version, now }: { slug: string; name: string; version: Comparison["from"]; now: Date }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Link className="link font-mono text-[0.8125rem]" href={versionUrl(slug, version.version_id)} prefetch={false}>
          {version.version_id.slice(0, 8)}
        </Link>
        , number {formatCount(version.number)}, <RelativeTime at={version.published_at} now={now} />,{" "}
        {formatCount(version.rows)} rows, {formatBytes(version.bytes)}
      </dd>
    </div>
  );
}

const hasDifferences = (rows: Comparison["rows"]): boolean =>
  rows !== null && rows.added + rows.removed + (rows.changed ?? 0) > 0;

interface FilesProps {
  slug: string;
  /** The table's slug. */
  table: string;
  /** Both versions' ids. */
  from: string;
  to: string;
  tooLarge: string | undefined;
}

/** Downloads with every row that differs. */
export function DifferenceFiles({ slug, table, from, to, tooLarge }: FilesProps) {
  if (tooLarge !== undefined) return <p className="mt-4 text-muted text-sm">{tooLarge}</p>;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">Every row that differs:</span>
      {(["CSV", "Parquet"] as const).map((label) => (
        <a
          key={label}
          className="button button-small"
          href={downloadUrl(slug, table, { from, to, format: label.toLowerCase() })}
          rel="nofollow"
        >
          <Download size={14} aria-hidden="true" />
          {label}
          <span className="sr-only"> of every row that differs</span>
        </a>
      ))}
    </p>
  );
}

function RowFigures({ comparison: { rows } }: { comparison: Comparison }) {
  if (!rows) return null;
  const figures = [
    { name: "added", count: rows.added },
    { name: "removed", count: rows.removed },
    ...(rows.changed === null ? [] : [{ name: "changed", count: rows.changed }]),
    { name: "unchanged", count: rows.unchanged },
  ];
  return (
    <ul aria-label="Rows" className="comparison-figures">
      {figures.map(({ name, count }) => (
        <li key={name} className={count === 0 ? "is-none" : undefined}>
          <b>{formatCount(count)}</b> <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}

function methodText(rows: Comparison["rows"]): string {
  if (!rows) return "The two versions share no column of the same name and type, so no rows were compared.";
  if (rows.compared_by === "primary_key")
    return `Rows are matched by primary key (${rows.key.join(", ")}). Every row was compared.`;
  return (
    "The versions share no primary key, so entire rows were compared. A changed row counts as one removed " +
    "and one added. Every row was compared."
  );
}

/** The columns in which rows of both versions changed, and how often. */
function ChangedColumns({ rows }: { rows: NonNullable<Comparison["rows"]> }) {
  const { changed, unchanged } = rows;
  if (!changed) return null;
  const bars = rows.changed_columns.map(({ name, rows: count }) => ({ label: name, count, share: count / changed }));
  return (
    <section aria-labelledby="comparison-changed" className="comparison-part">
      <h3 id="comparison-changed">Changes by column</h3>
      <p className="mb-3 text-muted text-sm">
        Of {formatPlural(changed + unchanged, "row")} present in both versions, {formatPlural(changed, "row")} changed.
        Percentages are of the changed rows.
      </p>
      <div className="max-w-xs">
        <ShareBars label="Columns by changed rows" bars={bars} />
      </div>
    </section>
  );
}
