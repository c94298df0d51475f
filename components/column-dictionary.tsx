import type { Column } from "@/lib/schemas/column";
import { columnFacts } from "./column-facts";
import { ColumnProfile, type LinkTo, topBars } from "./profile/column-profile";
import { ShareBars } from "./profile/share-bars";
import { valueText } from "./value-text";

const TOP_MORE = 10;
const QUANTILES = ["p05", "p25", "p50", "p75", "p95"] as const;

interface Props {
  columns: readonly Column[];
  /** The table's row count. */
  rows: number;
  label: string;
  /** The address of the rows that filters let pass. */
  linkTo: LinkTo;
}

/** Every column with its type, unit, meaning and profile. */
export function ColumnDictionary({ columns, rows, label, linkTo }: Props) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-line border-y">
      {columns.map((column) => (
        <li key={column.name} className="grid gap-x-8 gap-y-2 py-4 sm:grid-cols-[minmax(0,1fr)_15rem] lg:grid-cols-[14rem_minmax(0,1fr)_17rem]">
          <ColumnName column={column} />
          <div className="text-sm sm:col-start-1 lg:col-start-2 lg:row-start-1">
            <p className={column.description ? "max-w-prose" : "text-faint"}>{column.description ?? "The publisher gives no description."}</p>
            <p className="mt-1 text-muted text-xs">{columnFacts(column, rows).join(" · ")}</p>
            <ColumnMore column={column} rows={rows} linkTo={linkTo} />
          </div>
          <div className="min-w-0 sm:col-start-2 sm:row-span-2 sm:row-start-1 lg:col-start-3 lg:row-span-1">
            <ColumnProfile column={column} rows={rows} linkTo={linkTo} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function ColumnName({ column }: { column: Column }) {
  return (
    <div className="min-w-0">
      <h4 className="break-words font-medium font-mono text-sm tracking-normal">{column.name}</h4>
      <p className="mt-0.5 text-muted text-xs">
        {column.type}
        {column.unit && <span>, {column.unit}</span>}
      </p>
    </div>
  );
}

function ColumnMore({ column, rows, linkTo }: { column: Column; rows: number; linkTo: LinkTo }) {
  const bars = topBars(column, rows, TOP_MORE, linkTo);
  return (
    <details className="group mt-1.5 text-xs">
      <summary className="inline-flex list-none items-center gap-1 rounded-sm text-muted hover:text-accent">
        <span aria-hidden="true" className="inline-block transition-transform group-open:rotate-90">
          ›
        </span>
        Profile and operators<span className="sr-only"> of {column.name}</span>
      </summary>
      <div className="mt-2 grid max-w-xl gap-3 rounded-md bg-surface p-3">
        <Quantiles column={column} />
        {bars.length > 0 && <ShareBars label={`Up to 10 commonest values of ${column.name}`} bars={bars} />}
        <Names title="Filter with" names={column.operators} />
        <Names title="Aggregate with" names={column.functions} />
      </div>
    </details>
  );
}

function Quantiles({ column }: { column: Column }) {
  const quantiles = column.profile.quantiles;
  if (!quantiles) return null;
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 tabular-nums">
      {QUANTILES.map((name) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{name === "p50" ? "middle value" : `${Number(name.slice(1))}%`}</dt>
          <dd>{valueText(quantiles[name], column)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="text-muted">
      {title} <span className="break-words font-mono text-ink">{names.join(" ")}</span>
    </p>
  );
}
