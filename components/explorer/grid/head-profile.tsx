"use client";

import { type MouseEvent, useState } from "react";
import { type BinRange, binFilters, binText, countIn, filteredBins } from "@/components/profile/bins";
import { distinctLabels } from "@/components/profile/distinct-labels";
import { OverflowLines } from "@/components/profile/overflow-lines";
import { drawingOf, histogramPath, topShares, truthShares } from "@/components/profile/profile-drawing";
import { valueText } from "@/components/values/value-text";
import { formatCount, formatPlural, formatShare } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { filterOn, isChosenValue } from "@/lib/view/filter-values";
import type { ViewFilter } from "@/lib/view/view";
import type { MatchedColumn } from "./use-row-profile";

const WIDTH = 120;
const HEIGHT = 30;
const VALUES_SHOWN = 2;
/** Characters that are visible next to the share. */
const VISIBLE = 12;

interface Props {
  column: Column;
  /** Of the whole table. */
  rows: number;
  /** Over the rows of the view, where they are counted. */
  matched: MatchedColumn | undefined;
  isNarrowed: boolean;
  /** The view's filters. */
  filters: readonly ViewFilter[];
  onFilter: (filters: readonly ViewFilter[]) => void;
}

/**
 * A column's values drawn in its head, those of the view before those of the whole table: clicking a bar or a value
 * shows only its rows. The column's card does the same by keyboard.
 */
export function HeadProfile({ column, rows, matched, isNarrowed, filters, onFilter }: Props) {
  const kind = drawingOf(column.profile, rows);
  if (kind === "histogram") return <Bins {...{ column, matched, isNarrowed, filters, onFilter }} />;
  const bars = matched ? matchedBars(kind, column, rows, matched) : barsOf(kind, column, rows);
  if (bars.length === 0) return <p className="truncate pt-3 text-faint text-xs">{distinctText(column)}</p>;
  const texts = distinctLabels(
    bars.map(({ text }) => text),
    VISIBLE,
  );
  return (
    <div className="space-y-0.5 pt-0.5">
      {bars.map((bar, at) => (
        <button
          key={bar.text}
          type="button"
          tabIndex={-1}
          className="head-value"
          aria-pressed={isChosenValue(filters, column.name, bar.value)}
          title={`${bar.text}: ${sharesText(bar)}. Click to show only these rows.`}
          onClick={() => onFilter([filterOn(column, "eq", [bar.value])])}
        >
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(1, (bar.whole ?? 0) * 100)} height="1" />
            {bar.matched !== undefined && (
              <rect className="head-matched" width={Math.max(1, bar.matched * 100)} height="1" />
            )}
          </svg>
          <span>{texts[at]}</span>
          <b>{formatShare(bar.matched ?? bar.whole ?? 0)}</b>
        </button>
      ))}
      <Scope isNarrowed={isNarrowed} isMatched={matched !== undefined} />
    </div>
  );
}

function sharesText({ matched, whole }: Bar): string {
  const ofAll = whole === undefined ? "" : `${formatShare(whole)} of the whole table`;
  if (matched === undefined) return ofAll;
  return `${formatShare(matched)} of the matching rows${ofAll && `, ${ofAll}`}`;
}

/** Which rows are drawn. */
function Scope({ isNarrowed, isMatched }: { isNarrowed: boolean; isMatched: boolean }) {
  if (isMatched)
    return (
      <p className="head-scope head-scope-both">
        <span>these rows</span> <span>whole table</span>
      </p>
    );
  return isNarrowed ? <p className="head-scope">whole table</p> : null;
}

function Bins({ column, matched, isNarrowed, filters, onFilter }: Omit<Props, "rows">) {
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
          `${binText(column, pointed)}: ${countsText(column, pointed, matched)}. ` +
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
          <path className={matched && "head-behind"} d={histogramPath(counts, WIDTH, HEIGHT)} />
          {matched && (
            <path className="head-matched" d={histogramPath(matched.profile.histogram?.counts ?? [], WIDTH, HEIGHT)} />
          )}
          <OverflowLines column={column} bars={counts.length} width={WIDTH} height={HEIGHT} />
        </svg>
      </button>
      <Scope isNarrowed={isNarrowed} isMatched={matched !== undefined} />
    </>
  );
}

/** `12 of the matching rows, 1,300 in the whole table`. */
function countsText(column: Column, range: BinRange, matched: MatchedColumn | undefined): string {
  const ofAll = `${formatPlural(countIn(column, range), "row")} in the whole table`;
  if (!matched) return ofAll;
  return `${formatCount(countIn({ ...column, profile: matched.profile }, range))} of the matching rows, ${ofAll}`;
}

/** The bins from the start of a drag, or only this one. */
const between = (from: number | undefined, to: number): BinRange => ({
  first: Math.min(from ?? to, to),
  last: Math.max(from ?? to, to),
});

interface Bar {
  text: string;
  value: string;
  /** Share of the whole table; undefined for a value that is not among its most frequent ones. */
  whole?: number | undefined;
  /** Share of the matching rows. */
  matched?: number | undefined;
}

function barsOf(kind: ReturnType<typeof drawingOf>, column: Column, rows: number): Bar[] {
  const { profile } = column;
  if (kind === "truth") {
    const { yes, no } = truthShares(profile, rows);
    return [
      { text: "true", value: "true", whole: yes },
      { text: "false", value: "false", whole: no },
    ];
  }
  if (kind !== "top" || !column.operators.includes("eq")) return [];
  return topShares(profile, rows, VALUES_SHOWN).map(({ value, share }) => ({
    text: valueText(value, column) || "empty",
    value: String(value),
    whole: share,
  }));
}

/** The most frequent values of the matching rows, each with its share of the whole table, if that is known. */
function matchedBars(
  kind: ReturnType<typeof drawingOf>,
  column: Column,
  rows: number,
  { rows: matching, profile }: MatchedColumn,
): Bar[] {
  const ofView = barsOf(kind, { ...column, profile }, matching);
  const ofTable = new Map((column.profile.top_values ?? []).map(({ value, count }) => [String(value), count]));
  const truth = kind === "truth" ? barsOf(kind, column, rows) : [];
  return ofView.map((bar) => {
    const count = ofTable.get(bar.value);
    const whole = truth.find(({ value }) => value === bar.value)?.whole ?? (count && count / Math.max(rows, 1));
    return { ...bar, matched: bar.whole, whole };
  });
}

function distinctText({ profile }: Column): string {
  const { distinct_count: distinct } = profile;
  return distinct ? `${distinct.exact ? "" : "about "}${formatCount(distinct.value)} distinct` : "";
}
