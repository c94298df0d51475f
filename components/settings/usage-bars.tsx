import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatCount } from "@/lib/kernel/format";
import { barShare } from "./usage-drawing";

export interface UsageBar {
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
export function UsageBars({ bars, label, head }: { bars: readonly UsageBar[]; label: string; head: string }) {
  const most = Math.max(...bars.map(requests), 0);
  const rest = bars.slice(SHOWN);
  return (
    <>
      <BarTable bars={bars.slice(0, SHOWN)} label={label} head={head} most={most} />
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="link text-sm">{`${formatCount(rest.length)} more`}</summary>
          <BarTable bars={rest} label={`${label}, continued`} head={head} most={most} />
        </details>
      )}
    </>
  );
}

const requests = ({ queries, downloads }: UsageBar): number => queries + downloads;

function BarTable({
  bars,
  label,
  head,
  most,
}: {
  bars: readonly UsageBar[];
  label: string;
  head: string;
  most: number;
}) {
  return (
    <DataTable
      label={label}
      columns={columnsOf(head, most)}
      rows={bars}
      keyOf={({ id }) => id}
      className="usage-bars"
    />
  );
}

const columnsOf = (head: string, most: number): readonly DataColumn<UsageBar>[] => [
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
