import { formatCount, formatShare } from "@/lib/kernel/format";
import { distinctLabels } from "./distinct-labels";

/** Characters that are visible next to the bar in the narrowest layout. */
const VISIBLE = 22;

export interface ShareBar {
  /** Null for null. */
  label: string | null;
  share: number;
  count: number;
  /** Where its rows are shown. */
  href?: string | undefined;
}

/** Labelled bars, one per line, each as long as its share of all rows; each may be a link. */
export function ShareBars({ bars, label }: { bars: readonly ShareBar[]; label: string }) {
  const shown = distinctLabels(
    bars.map((bar) => bar.label ?? ""),
    VISIBLE,
  );
  return (
    <ul aria-label={label} className="space-y-px text-xs">
      {bars.map((bar, at) => (
        <li key={bar.label ?? "\u0000"}>
          <ShareLine bar={bar} shown={shown[at] ?? ""} />
        </li>
      ))}
    </ul>
  );
}

/** `shown` is the label as displayed; the title has the full label. */
function ShareLine({ bar: { label, share, count, href }, shown }: { bar: ShareBar; shown: string }) {
  const look = label === null ? "share share-null" : "share";
  const title = `${label ?? "null"}: ${formatCount(count)} ${count === 1 ? "row" : "rows"}`;
  const content = (
    <>
      <span>
        {label === null ? <span className="null">null</span> : shown || <span className="null">empty string</span>}
      </span>
      <svg aria-hidden="true">
        <rect width={`${Number(Math.max(share * 100, 1).toFixed(1))}%`} height="100%" />
      </svg>
      <b>{formatShare(share)}</b>
    </>
  );
  if (href === undefined)
    return (
      <div className={look} title={title}>
        {content}
      </div>
    );
  return (
    <a className={look} title={title} href={href} rel="nofollow">
      {content}
    </a>
  );
}
