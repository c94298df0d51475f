"use client";

import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import type { ViewFilter } from "@/lib/view/view";
import { type BinRange, binFilters, binText, brushFilters, countIn, filteredBins, isBins, spanTexts } from "./bins";
import { BrushHandle } from "./brush-handle";
import { binWords } from "./histogram";
import { OverflowLines } from "./overflow-lines";
import { histogramPath } from "./profile-drawing";
import { QuantileLine } from "./quantile-line";
import { useBrush } from "./use-brush";

const WIDTH = 400;
const HEIGHT = 96;
/** Space below the bars for the handles. */
const FOOT = 12;

interface Props {
  column: Column;
  /** Of the table. */
  rows: number;
  /** The view's filters; those of this column are shown as the range. */
  filters: readonly ViewFilter[];
  /** Sets the column's range; empty for all of it. */
  onRange: (filters: readonly ViewFilter[]) => void;
}

/**
 * A histogram in which a range is drawn by pointer, touch or keyboard; a click selects one bar. The range snaps to the
 * edges of the bars.
 */
export function HistogramBrush({ column, rows, filters, onRange }: Props) {
  const counts = column.profile.histogram?.counts ?? [];
  const [low, high] = spanTexts(column);
  const whole = { first: 0, last: counts.length - 1 };
  const isWhole = ({ first, last }: BinRange) => first === whole.first && last === whole.last;
  const { draft, over, plot, onKeyDown, moveEnd, finish } = useBrush(counts.length, (range, { isBar }) =>
    onRange(isWhole(range) ? [] : isBar ? binFilters(column, range) : brushFilters(column, range)),
  );
  const range = draft ?? filteredBins(column, filters) ?? whole;
  const isExact = draft !== undefined || isBins(column, range, filters);
  const handle = { column, range, bins: counts.length, height: HEIGHT, foot: FOOT, onMove: moveEnd };
  return (
    <fieldset className="brush" onKeyDown={onKeyDown}>
      <legend className="sr-only">Range of {column.name}</legend>
      <p className="brush-words">
        <output>
          {over !== undefined && !draft
            ? binWords(column, { first: over, last: over }, rows)
            : rangeText(column, range, rows, isExact)}
        </output>
        {!isWhole(range) && (
          <button type="button" className="link" onClick={() => finish(whole, false)}>
            All
          </button>
        )}
      </p>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the legend names it; a title would hide the tooltips of its bars. */}
      <svg className="brush-plot" height={HEIGHT + FOOT} {...plot}>
        <Bars column={column} counts={counts} range={range} over={over} isWhole={isWhole(range)} />
        <BrushHandle end="low" {...handle} />
        <BrushHandle end="high" {...handle} />
      </svg>
      <QuantileLine column={column} />
      <p className="brush-ends" aria-hidden="true">
        <span>{low}</span>
        <span>{high}</span>
      </p>
    </fieldset>
  );
}

function Bars({
  column,
  counts,
  range,
  over,
  isWhole,
}: {
  column: Column;
  counts: readonly number[];
  range: BinRange;
  over: number | undefined;
  isWhole: boolean;
}) {
  const inside = counts.map((count, at) => (at >= range.first && at <= range.last ? count : 0));
  const share = (bin: number) => `${Math.round((bin / Math.max(counts.length, 1)) * 10_000) / 100}%`;
  return (
    <>
      {!isWhole && (
        <rect
          className="brush-range"
          x={share(range.first)}
          width={share(range.last + 1 - range.first)}
          height={HEIGHT}
        />
      )}
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
      >
        <path className="brush-outside" d={histogramPath(counts, WIDTH, HEIGHT)} />
        <path className="brush-inside" d={histogramPath(inside, WIDTH, HEIGHT, Math.max(...counts, 0))} />
        <OverflowLines column={column} bars={counts.length} width={WIDTH} height={HEIGHT} />
      </svg>
      {over !== undefined && <rect className="brush-over" x={share(over)} width={share(1)} height={HEIGHT} />}
    </>
  );
}

/**
 * A typed filter may end inside a bar. The text then names the bars that it touches and the maximum number of matching
 * rows.
 */
function rangeText(column: Column, range: BinRange, rows: number, isExact: boolean): string {
  const [words, inside] = [binText(column, range), countIn(column, range)];
  return isExact
    ? `${words}: ${formatCount(inside)} of all ${formatPlural(rows, "row")} in the table`
    : `Within ${words}: at most ${formatPlural(inside, "row")} in the whole table`;
}
