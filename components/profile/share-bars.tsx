import { formatCount, formatShare } from "@/lib/kernel/format";

export interface ShareBar {
  /** Null for null. */
  label: string | null;
  share: number;
  count: number;
  /** Where its rows are shown. */
  href?: string | undefined;
}

/** Labelled bars, one a line, each as long as its share of all rows; each may lead to its rows. */
export function ShareBars({ bars, label }: { bars: readonly ShareBar[]; label: string }) {
  return (
    <ul aria-label={label} className="space-y-px text-xs">
      {bars.map((bar) => (
        <li key={bar.label ?? "\u0000"}>
          <ShareLine bar={bar} />
        </li>
      ))}
    </ul>
  );
}

function ShareLine({ bar: { label, share, count, href } }: { bar: ShareBar }) {
  const look = label === null ? "share share-null" : "share";
  const title = `${label ?? "null"}: ${formatCount(count)} ${count === 1 ? "row" : "rows"}`;
  const content = (
    <>
      <span>
        {label === null ? <span className="null">null</span> : label || <span className="null">empty text</span>}
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
    <a className={look} title={title} href={href}>
      {content}
    </a>
  );
}
