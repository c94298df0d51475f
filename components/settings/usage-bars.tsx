import type { ReactNode } from "react";
import { formatBytes, formatCount } from "@/lib/format";
import { barShare } from "./usage-drawing";

export interface UsageBar {
  id: string;
  name: ReactNode;
  queries: number;
  downloads: number;
  bytes: number;
}

const SHOWN = 8;

/** What was used, the most used first: a bar as long as its queries and downloads together, and the numbers. `label` names the table, `head` its first column. */
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

function BarTable({ bars, label, head, most }: { bars: readonly UsageBar[]; label: string; head: string; most: number }) {
  return (
    <table className="fact-list table-fixed">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className="number w-18 sm:w-28">
            Queries
          </th>
          <th scope="col" className="number w-12 sm:w-28">
            <abbr title="Downloads" className="no-underline sm:hidden">
              Files
            </abbr>
            <span className="hidden sm:inline">Downloads</span>
          </th>
          <th scope="col" className="number w-18 sm:w-28">
            Data
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.id}>
            <th scope="row">
              {bar.name}
              <svg aria-hidden="true" className="mt-1.5 h-1.5 w-full bg-line fill-bar">
                <rect width={`${barShare(requests(bar), most)}%`} height="100%" />
              </svg>
            </th>
            <td className="number">{formatCount(bar.queries)}</td>
            <td className="number">{formatCount(bar.downloads)}</td>
            <td className="number">{formatBytes(bar.bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
