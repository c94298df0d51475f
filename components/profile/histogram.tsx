import { formatCount, formatShare } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import type { ViewFilter } from "@/lib/view/view";
import { type BinRange, binFilters, binText, countIn, edgeText, joinedBins, spanTexts } from "./bins";
import { OverflowLines } from "./overflow-lines";
import { histogramPath } from "./profile-drawing";
import { QuantileLine } from "./quantile-line";

const WIDTH = 240;
const HEIGHT = 40;
/** Few enough to keep pages of many columns small. */
const LINKED_BARS_MAX = 20;
/** At least 24 pixels each, so that they can be tapped reliably; with more bars, two share a link. */
const TARGETS_MAX = 10;

interface Props {
  column: Column;
  rows: number;
  /** The URL of the rows that filters match. Without it, the bars are not links. */
  linkTo?: ((filters: readonly ViewFilter[]) => string) | undefined;
}

/** The distribution of a column's values between the outermost edges of its bins; each bar may be a link. */
export function Histogram({ column, rows, linkTo }: Props) {
  const { histogram } = column.profile;
  if (!histogram) return null;
  const bins = joinedBins(column, linkTo ? LINKED_BARS_MAX : histogram.counts.length);
  const counts = bins.map((bin) => countIn(column, bin));
  const step = WIDTH / bins.length;
  const [least, greatest] = [edgeText(histogram.edges[0], column), edgeText(histogram.edges.at(-1), column)];
  const [low, high] = spanTexts(column);
  return (
    <div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role={linkTo ? "group" : "img"}
        aria-label={`Histogram of ${column.name}, from ${least} to ${greatest}`}
        className="bins"
      >
        <path d={histogramPath(counts, WIDTH, HEIGHT)} />
        <OverflowLines column={column} bars={bins.length} width={WIDTH} height={HEIGHT} />
        {linkTo &&
          targetsOf(bins).map(({ bin, at, bars }) =>
            countIn(column, bin) > 0 ? (
              // For the pointer only; the explorer has handles for the keyboard, so that not every bar here is a tab
              // stop.
              <a key={bin.first} href={linkTo(binFilters(column, bin))} rel="nofollow" tabIndex={-1}>
                <title>{binWords(column, bin, rows)}</title>
                <rect x={round(at * step)} width={round(bars * step)} height={HEIGHT} />
              </a>
            ) : null,
          )}
      </svg>
      <QuantileLine column={column} />
      <div className="mt-0.5 flex justify-between gap-3 text-muted text-xs tabular-nums">
        <span className="truncate">{low}</span>
        <span className="truncate text-right">{high}</span>
      </div>
    </div>
  );
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;

/** Ranges of bars with one link to their rows: the first bar and the number of bars. */
function targetsOf(bins: readonly BinRange[]): { bin: BinRange; at: number; bars: number }[] {
  const bars = Math.ceil(bins.length / TARGETS_MAX);
  return Array.from({ length: Math.ceil(bins.length / bars) }, (_, target) => {
    const together = bins.slice(target * bars, (target + 1) * bars);
    const [first, last] = [together[0] as BinRange, together.at(-1) as BinRange];
    return { bin: { first: first.first, last: last.last }, at: target * bars, bars: together.length };
  });
}

/** `10 to 19: 120,000 rows, 4%`. */
export function binWords(column: Column, bin: BinRange, rows: number): string {
  const count = countIn(column, bin);
  return (
    `${binText(column, bin)}: ${formatCount(count)} ${count === 1 ? "row" : "rows"}, ` +
    `${formatShare(count / Math.max(rows, 1))}`
  );
}
