"use client";

import { type MouseEvent, useState } from "react";
import { filterOn, isChosenValue } from "@/components/explorer/view/filter-values";
import type { ViewFilter } from "@/components/explorer/view/view";
import { type BinRange, binFilters, binText, countIn, filteredBins } from "@/components/profile/bins";
import { distinctLabels } from "@/components/profile/distinct-labels";
import { OverflowLines } from "@/components/profile/overflow-lines";
import { drawingOf, histogramPath, topShares, truthShares } from "@/components/profile/profile-drawing";
import { valueText } from "@/components/values/value-text";
import { formatCount, formatPlural, formatShare } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";

const WIDTH = 120;
const HEIGHT = 30;
const VALUES_SHOWN = 2;
/** Characters that are visible next to the share. */
const VISIBLE = 12;

interface Props {
  column: Column;
  /** Of the whole table. */
  rows: number;
  /** The view's filters. */
  filters: readonly ViewFilter[];
  onFilter: (filters: readonly ViewFilter[]) => void;
}

/**
 * A column's values drawn in its head: clicking a bar or a value shows only its rows. The column's card does the same
 * by keyboard.
 */
export function HeadProfile({ column, rows, filters, onFilter }: Props) {
  const kind = drawingOf(column.profile, rows);
  if (kind === "histogram") return <Bins column={column} filters={filters} onFilter={onFilter} />;
  const shares = kind === "truth" ? truthBars(column, rows) : kind === "top" ? valueBars(column, rows) : [];
  if (shares.length === 0) return <p className="truncate pt-3 text-faint text-xs">{distinctText(column)}</p>;
  const texts = distinctLabels(
    shares.map(({ text }) => text),
    VISIBLE,
  );
  return (
    <div className="space-y-0.5 pt-0.5">
      {shares.map((bar, at) => (
        <button
          key={bar.text}
          type="button"
          tabIndex={-1}
          className="head-value"
          aria-pressed={isChosenValue(filters, column.name, bar.value)}
          title={`${bar.text}: ${formatShare(bar.share)} of the whole table. Click to show only these rows.`}
          onClick={() => onFilter([filterOn(column, "eq", [bar.value])])}
        >
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(1, bar.share * 100)} height="1" />
          </svg>
          <span>{texts[at]}</span>
          <b>{formatShare(bar.share)}</b>
        </button>
      ))}
      {filters.length > 0 && <p className="head-scope">whole table</p>}
    </div>
  );
}

function Bins({ column, filters, onFilter }: Omit<Props, "rows">) {
  const [over, setOver] = useState<number>();
  const [from, setFrom] = useState<number>();
  const counts = column.profile.histogram?.counts ?? [];
  const binAt = (event: MouseEvent<Element>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(counts.length - 1, Math.floor(((event.clientX - left) / width) * counts.length)));
  };
  const step = WIDTH / counts.length;
  const spanOf = ({ first, last }: BinRange) => ({ x: first * step, width: (last + 1 - first) * step });
  const chosen = filteredBins(column, filters);
  const pointed = over === undefined ? undefined : between(from, over);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className="head-bins"
        aria-label={`Histogram of ${column.name}`}
        title={
          pointed &&
          `${binText(column, pointed)}: ${formatPlural(countIn(column, pointed), "row")} in the whole table. ` +
            "Click a bar or drag over several to show only these rows."
        }
        onMouseMove={(event) => setOver(binAt(event))}
        onMouseLeave={() => {
          setOver(undefined);
          setFrom(undefined);
        }}
        onMouseDown={(event) => setFrom(binAt(event))}
        onClick={(event) => {
          onFilter(binFilters(column, between(from, binAt(event))));
          setFrom(undefined);
        }}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {chosen && <rect className="head-bin-chosen" {...spanOf(chosen)} height={HEIGHT} />}
          {pointed && <rect className="head-bin-over" {...spanOf(pointed)} height={HEIGHT} />}
          <path d={histogramPath(counts, WIDTH, HEIGHT)} />
          <OverflowLines column={column} bars={counts.length} width={WIDTH} height={HEIGHT} />
        </svg>
      </button>
      {filters.length > 0 && <p className="head-scope">whole table</p>}
    </>
  );
}

/** The bins from the start of a drag, or only this one. */
const between = (from: number | undefined, to: number): BinRange => ({
  first: Math.min(from ?? to, to),
  last: Math.max(from ?? to, to),
});

interface Bar {
  text: string;
  value: string;
  share: number;
}

function truthBars(column: Column, rows: number): Bar[] {
  const { yes, no } = truthShares(column.profile, rows);
  return [
    { text: "true", value: "true", share: yes },
    { text: "false", value: "false", share: no },
  ];
}

function valueBars(column: Column, rows: number): Bar[] {
  if (!column.operators.includes("eq")) return [];
  return topShares(column.profile, rows, VALUES_SHOWN).map(({ value, share }) => ({
    text: valueText(value, column) || "empty",
    value: String(value),
    share,
  }));
}

function distinctText({ profile }: Column): string {
  const { distinct_count: distinct } = profile;
  return distinct ? `${distinct.exact ? "" : "about "}${formatCount(distinct.value)} distinct` : "";
}
