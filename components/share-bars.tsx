import { formatCount, formatShare } from "@/lib/format";

export interface ShareBar {
  /** Null for null. */
  label: string | null;
  share: number;
  count?: number;
}

/** Labelled bars, one a line, each as long as its share of all rows. */
export function ShareBars({ bars, label }: { bars: readonly ShareBar[]; label: string }) {
  return (
    <ul aria-label={label} className="space-y-1 text-xs">
      {bars.map((bar) => (
        <li
          key={bar.label ?? "\u0000"}
          className="grid grid-cols-[minmax(0,1fr)_4.5rem_2.75rem] items-center gap-2"
          title={bar.count === undefined ? undefined : `${bar.label ?? "null"}: ${formatCount(bar.count)} rows`}
        >
          <span className="truncate">{bar.label === null ? <span className="null">null</span> : bar.label || <span className="null">empty text</span>}</span>
          <span aria-hidden="true" className="h-2 bg-surface">
            <span className={`block h-full ${bar.label === null ? "bg-bar-null" : "bg-bar"}`} style={{ width: `${Math.max(bar.share * 100, 1)}%` }} />
          </span>
          <span className="text-right text-muted tabular-nums">{formatShare(bar.share)}</span>
        </li>
      ))}
    </ul>
  );
}
