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
          className={bar.label === null ? "share share-null" : "share"}
          title={bar.count === undefined ? undefined : `${bar.label ?? "null"}: ${formatCount(bar.count)} rows`}
        >
          <span>{bar.label === null ? <span className="null">null</span> : bar.label || <span className="null">empty text</span>}</span>
          <svg aria-hidden="true">
            <rect width={`${Number(Math.max(bar.share * 100, 1).toFixed(1))}%`} height="100%" />
          </svg>
          <b>{formatShare(bar.share)}</b>
        </li>
      ))}
    </ul>
  );
}
