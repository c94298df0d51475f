import Link from "next/link";
import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatCount, formatDay, formatPlural } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";
import { UsageChart } from "./usage-chart";
import { barShare, sumCounts } from "./usage-drawing";

interface Span {
  days: number;
  href: string;
  current: boolean;
}

/** Sums, days, tables and keys. `spans` are the lengths of time to choose from. */
export function UsageReport({ usage, spans }: { usage: Usage; spans: readonly Span[] }) {
  const isEmpty = usage.total.queries + usage.total.downloads === 0;
  return (
    <>
      <UsageSums usage={usage} />
      <div className="mt-6 mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h3 className="text-lg">Last {usage.days.length} days</h3>
        <SpanLinks spans={spans} />
      </div>
      {isEmpty ? (
        <p className="text-muted text-sm">
          No reads by keys or agents in this period. New queries appear here within seconds.
        </p>
      ) : (
        <Details usage={usage} />
      )}
    </>
  );
}

function SpanLinks({ spans }: { spans: readonly Span[] }) {
  return (
    <ul aria-label="Period" className="flex gap-1.5">
      {spans.map(({ days, href, current }) => (
        <li key={days}>
          <Link
            href={href}
            prefetch={false}
            scroll={false}
            aria-current={current ? "true" : undefined}
            className="chip aria-[current]:border-accent aria-[current]:text-accent"
          >
            {formatPlural(days, "day")}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Details({ usage }: { usage: Usage }) {
  return (
    <>
      <UsageChart days={usage.days} />
      <details className="mt-3">
        <summary className="link text-sm">Show as a table</summary>
        <div className="mt-2">
          <UsageDayTable days={usage.days} />
        </div>
      </details>
      <h3 className="mt-8 mb-2 text-lg">By table</h3>
      <UsageBars label={`Usage by table, last ${usage.days.length} days`} head="Table" bars={tableBars(usage)} />
      <h3 className="mt-8 mb-2 text-lg">By key, agent, device and browser</h3>
      <UsageBars
        label={`Usage by key, agent and device, last ${usage.days.length} days`}
        head="Key, agent, device or person"
        bars={keyBars(usage)}
      />
    </>
  );
}

function tableBars({ tables }: Usage): UsageBar[] {
  const named = tables.filter(({ dataset }) => dataset !== null);
  const bars: UsageBar[] = named.map(({ table_id: id, name, dataset, ...counts }) => ({
    ...counts,
    id,
    name: <TableName name={name} dataset={dataset} />,
  }));
  return withRest(
    bars,
    tables.filter(({ dataset }) => dataset === null),
    "Tables that are no longer readable",
  );
}

function keyBars({ keys }: Usage): UsageBar[] {
  const named = keys.filter(({ name }) => name !== null);
  const bars: UsageBar[] = named.map(({ key_id: id, kind, name, ends, revoked, ...counts }) => ({
    ...counts,
    id,
    name: <KeyLabel kind={kind} name={name} ends={ends} revoked={revoked} />,
  }));
  return withRest(
    bars,
    keys.filter(({ name }) => name === null),
    "Keys and agents of other members",
  );
}

/** Everything without a name is combined in one line at the end. */
function withRest(
  bars: UsageBar[],
  rest: readonly Omit<UsageBar & { rows: number }, "id" | "name">[],
  name: string,
): UsageBar[] {
  return rest.length === 0
    ? bars
    : [...bars, { id: name, name: <span className="text-muted">{name}</span>, ...sumCounts(rest) }];
}

function TableName({ name, dataset }: Pick<Usage["tables"][number], "name" | "dataset">) {
  return (
    <Link
      href={`/datasets/${dataset?.slug}`}
      prefetch={false}
      className="block hover:text-accent sm:truncate"
      title={`${dataset?.title}: ${name}`}
    >
      <span className="font-medium">{dataset?.title}</span> <br className="sm:hidden" />
      <span className="text-muted">{name}</span>
    </Link>
  );
}

function KeyLabel({ kind, name, ends, revoked }: Pick<Usage["keys"][number], "kind" | "name" | "ends" | "revoked">) {
  return (
    <span className="block min-w-0 items-baseline gap-2 sm:flex" title={`${name} ${ends ?? "(agent)"}`}>
      <span className="wrap-anywhere block font-medium sm:truncate">{name}</span>
      {revoked && <span className="text-muted">{kind === "agent" ? "disconnected" : "revoked"} </span>}
      <code className="hidden shrink-0 font-mono text-faint text-xs sm:inline">{ends ?? kind}</code>
    </span>
  );
}

interface UsageBar {
  id: string;
  name: ReactNode;
  queries: number;
  downloads: number;
  bytes: number;
}

const SHOWN = 8;

/**
 * Usage, the highest first: a bar for queries and downloads together, and the numbers. `label` names the table, `head`
 * its first column.
 */
function UsageBars({ bars, label, head }: { bars: readonly UsageBar[]; label: string; head: string }) {
  const columns = barColumns(head, Math.max(...bars.map(requests), 0));
  const rest = bars.slice(SHOWN);
  const table = (rows: readonly UsageBar[], named: string) => (
    <DataTable label={named} columns={columns} rows={rows} keyOf={({ id }) => id} className="usage-bars" />
  );
  return (
    <>
      {table(bars.slice(0, SHOWN), label)}
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="link text-sm">{`${formatCount(rest.length)} more`}</summary>
          {table(rest, `${label}, continued`)}
        </details>
      )}
    </>
  );
}

const requests = ({ queries, downloads }: UsageBar): number => queries + downloads;

const barColumns = (head: string, most: number): readonly DataColumn<UsageBar>[] => [
  {
    id: "name",
    head,
    cell: (bar) => (
      <>
        {bar.name}
        <svg aria-hidden="true" className="mt-1.5 h-1.5 w-full bg-line fill-bar">
          <rect width={`${barShare(requests(bar), most)}%`} height="100%" />
        </svg>
      </>
    ),
  },
  { id: "queries", head: "Queries", isNumber: true, cell: ({ queries }) => formatCount(queries) },
  { id: "downloads", head: <DownloadsHead />, isNumber: true, cell: ({ downloads }) => formatCount(downloads) },
  { id: "data", head: "Data", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
];

const DownloadsHead = () => (
  <>
    <abbr title="Downloads" className="no-underline sm:hidden">
      Files
    </abbr>
    <span className="hidden sm:inline">Downloads</span>
  </>
);

type Day = Usage["days"][number];

const DAY_COLUMNS: readonly DataColumn<Day>[] = [
  { id: "day", head: "Day (UTC)", cell: ({ day }) => formatDay(day) },
  { id: "queries", head: "Queries", isNumber: true, cell: ({ queries }) => formatCount(queries) },
  { id: "downloads", head: "Downloads", isNumber: true, cell: ({ downloads }) => formatCount(downloads) },
  { id: "rows", head: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { id: "data", head: "Data", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
];

/** The chart in numbers, the newest day first; days without use are left out. */
function UsageDayTable({ days }: { days: readonly Day[] }) {
  const used = days.filter(({ queries, downloads }) => queries + downloads > 0).reverse();
  return (
    <DataTable label="Usage by day" columns={DAY_COLUMNS} rows={used} keyOf={({ day }) => day} scrolls="max-h-96" />
  );
}

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

const FIGURES = [
  { field: "queries", title: "Queries", format: formatCount },
  { field: "downloads", title: "Downloads", format: formatCount },
  { field: "rows", title: "Rows read", format: formatCount },
  { field: "bytes", title: "Data", format: formatBytes },
] as const;

/** Today and this month, in UTC. The days must reach back to the first of the month. */
function UsageSums({ usage: { days, to, total } }: { usage: Pick<Usage, "days" | "to" | "total"> }) {
  const month = sumCounts(days.filter(({ day }) => day.slice(0, 7) === to.slice(0, 7)));
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
      {FIGURES.map(({ field, title, format }) => (
        <div key={field} className="min-w-0 bg-paper px-4 py-3">
          <dt className="text-muted text-xs">{title}</dt>
          <dd className="mt-1 font-semibold text-2xl tabular-nums tracking-tight">
            {format(total.today[field])} <span className="font-normal text-muted text-xs tracking-normal">today</span>
          </dd>
          <dd className="text-muted text-xs tabular-nums sm:text-sm">
            {format(month[field])} in {MONTH.format(new Date(to))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
