import type { ViewFilter } from "@/components/explorer/view";
import { histogramPath } from "@/components/profile-drawing";
import { formatCount, formatShare } from "@/lib/format";
import type { Column } from "@/lib/schemas/column";
import { type BinRange, binFilters, binText, countIn, edgeText, joinedBins } from "./bins";
import { QuantileLine } from "./quantile-line";

const WIDTH = 240;
const HEIGHT = 40;
/** Wide enough to be hit, few enough to keep pages of many columns small. */
const LINKS_MAX = 20;

interface Props {
  column: Column;
  rows: number;
  /** The address that shows the rows which filters let pass. Without it, the bars lead nowhere. */
  linkTo?: ((filters: readonly ViewFilter[]) => string) | undefined;
}

/** The spread of a column's values between the outermost edges of its bins; each bar may lead to its rows. */
export function Histogram({ column, rows, linkTo }: Props) {
  const { histogram } = column.profile;
  if (!histogram) return null;
  const bins = joinedBins(column, linkTo ? LINKS_MAX : histogram.counts.length);
  const counts = bins.map((bin) => countIn(column, bin));
  const low = edgeText(histogram.edges[0], column);
  const high = edgeText(histogram.edges.at(-1), column);
  const step = WIDTH / bins.length;
  return (
    <div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role={linkTo ? "group" : "img"}
        aria-label={`Histogram of ${column.name}, from ${low} to ${high}`}
        className="bins"
      >
        <path d={histogramPath(counts, WIDTH, HEIGHT)} />
        {linkTo &&
          bins.map((bin, at) =>
            (counts[at] ?? 0) > 0 ? (
              // The pointer's way to these rows; by keyboard the explorer has handles, instead of a stop at every bar here.
              <a key={bin.first} href={linkTo(binFilters(column, bin))} tabIndex={-1}>
                <title>{binWords(column, bin, rows)}</title>
                <rect x={Math.round(at * step * 100) / 100} width={Math.round(step * 100) / 100} height={HEIGHT} />
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

/** `10 to 19: 120,000 rows, 4%`. */
export function binWords(column: Column, bin: BinRange, rows: number): string {
  const count = countIn(column, bin);
  return `${binText(column, bin)}: ${formatCount(count)} ${count === 1 ? "row" : "rows"}, ${formatShare(count / Math.max(rows, 1))}`;
}
