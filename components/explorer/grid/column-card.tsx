"use client";

import { ArrowDown, ArrowUp, EyeOff, Filter, Group } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { HistogramBrush } from "@/components/profile/histogram-brush";
import { drawingOf } from "@/components/profile/profile-drawing";
import { CopyButton } from "@/components/ui/copy-button";
import { unitText } from "@/components/values/unit-text";
import { valueText } from "@/components/values/value-text";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import { formatCount, formatPlural, formatShare } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { filterOn, textsOf } from "@/lib/view/filter-values";
import type { ViewFilter, ViewOrder } from "@/lib/view/view";
import type { MatchedColumn } from "./use-row-profile";

const VALUES_SHOWN = 8;
const GAP_PX = 4;
const EDGE_PX = 8;

interface Props {
  column: Column;
  /** Of the table. */
  rows: number;
  /** Over the rows of the view, where they are counted. */
  matched: MatchedColumn | undefined;
  anchor: HTMLElement;
  onSort: (direction: ViewOrder["direction"]) => void;
  onFilter: (filters: readonly ViewFilter[]) => void;
  /** The view's filters. */
  filters: readonly ViewFilter[];
  /** Sets the column's range; empty for all of it. */
  onRange: (filters: readonly ViewFilter[]) => void;
  onEditFilter: () => void;
  onGroup: () => void;
  onHide?: (() => void) | undefined;
  onClose: () => void;
}

/**
 * What a column means and contains, with actions. It opens next to the column's name and closes on Escape or a click
 * elsewhere.
 */
export function ColumnCard(props: Props) {
  const { column, rows, matched, anchor, onClose } = props;
  const card = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const box = card.current;
    if (!box) return;
    const closed = (event: Event) => (event as ToggleEvent).newState === "closed" && close.current();
    box.showPopover();
    place(box, anchor);
    box.querySelector<HTMLElement>("button")?.focus();
    box.addEventListener("toggle", closed);
    return () => {
      box.removeEventListener("toggle", closed);
      if (box.contains(document.activeElement)) anchor.focus();
    };
  }, [anchor]);
  const hasBins = drawingOf(column.profile, rows) === "histogram";
  const isOrdered = isOrderable(columnTypeOf(column));
  const done = (act: () => void) => () => {
    card.current?.hidePopover();
    act();
  };
  return (
    <div ref={card} popover="auto" role="dialog" aria-label={column.name} className="column-card">
      <div className="flex items-start gap-1">
        <h2 className="min-w-0 flex-1 break-words text-base">{column.name}</h2>
        <CopyButton text={column.name} label="name" />
      </div>
      <p className="text-faint text-xs">
        {column.type}
        {column.unit ? `, in ${unitText(column.unit)}` : ""}
        {nullText(column, rows)}
      </p>
      {column.description && <p className="mt-2 text-muted text-sm">{column.description}</p>}
      <div className="mt-3 flex flex-wrap gap-1.5">
        {isOrdered && (
          <>
            <Act icon={<ArrowUp size={14} />} words="Ascending" onClick={done(() => props.onSort("asc"))} />
            <Act icon={<ArrowDown size={14} />} words="Descending" onClick={done(() => props.onSort("desc"))} />
          </>
        )}
        <Act icon={<Filter size={14} />} words="Filter" onClick={done(props.onEditFilter)} />
        {isOrdered && <Act icon={<Group size={14} />} words="Group by" onClick={done(props.onGroup)} />}
        {props.onHide && <Act icon={<EyeOff size={14} />} words="Hide" onClick={done(props.onHide)} />}
      </div>
      {hasBins && (
        <div className="mt-4">
          <HistogramBrush column={column} rows={rows} filters={props.filters} onRange={props.onRange} />
        </div>
      )}
      <CardValues
        column={column}
        rows={rows}
        matched={matched}
        held={props.filters}
        onFilter={(filters) => done(() => props.onFilter(filters))()}
      />
    </div>
  );
}

function Act({ icon, words, onClick }: { icon: ReactNode; words: string; onClick: () => void }) {
  return (
    <button type="button" className="button button-small" onClick={onClick}>
      <span aria-hidden="true">{icon}</span> {words}
    </button>
  );
}

interface CardRow {
  text: string;
  filters: readonly ViewFilter[];
  /** How many rows of the whole table have it; undefined for a value that is not among its most frequent ones. */
  whole: number | undefined;
  /** How many of the matching rows have it. */
  matched?: number | undefined;
}

/** The values of a column with their shares, of the view beside the whole table; clicking one shows only its rows. */
function CardValues({
  column,
  rows,
  matched,
  held,
  onFilter,
}: {
  column: Column;
  rows: number;
  matched: MatchedColumn | undefined;
  /** Filters of the view. */
  held: readonly ViewFilter[];
  onFilter: (filters: readonly ViewFilter[]) => void;
}) {
  const listed = matched ? matchedRows(column, rows, matched) : cardRows(column, rows);
  if (listed.length === 0) return null;
  const lengthOf = ({ whole = 0, matched: count }: CardRow) =>
    matched ? (count ?? 0) / Math.max(matched.rows, 1) : whole / Math.max(rows, 1);
  const most = Math.max(...listed.map(lengthOf), Number.MIN_VALUE);
  return (
    <>
      <p className="mt-3 flex justify-between gap-3 border-line border-t pt-2 text-faint text-xs">
        {matched ? (
          <>
            Values
            <span className="card-shares pr-2">
              <span>these rows</span> <span>whole table</span>
            </span>
          </>
        ) : (
          "Values in the whole table, without filters"
        )}
      </p>
      <ul
        className="mt-1 max-h-64 space-y-px overflow-y-auto"
        aria-label={matched ? "Values in these rows" : "Values in the whole table"}
      >
        {listed.map((row) => (
          <li key={keyOf(row)}>
            <button
              type="button"
              className="head-value card-value"
              aria-pressed={row.filters.every((filter) => held.some((old) => sameFilter(old, filter)))}
              onClick={() => onFilter(row.filters)}
              title={`${countsOf(row)}. Click to show only these.`}
            >
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(lengthOf(row) / most) * 100} height="1" />
              </svg>
              <span>{row.text}</span>
              {matched ? (
                <b className="card-shares">
                  <span>{formatShare((row.matched ?? 0) / Math.max(matched.rows, 1))}</span>{" "}
                  <span>{row.whole === undefined ? "–" : formatShare(row.whole / Math.max(rows, 1))}</span>
                </b>
              ) : (
                <b>{formatShare((row.whole ?? 0) / Math.max(rows, 1))}</b>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function countsOf({ matched, whole }: CardRow): string {
  const ofAll = whole === undefined ? "" : `${formatPlural(whole, "row")} in the whole table`;
  if (matched === undefined) return ofAll;
  return `${formatCount(matched)} of the matching rows${ofAll && `, ${ofAll}`}`;
}

const sameFilter = (a: ViewFilter, b: ViewFilter): boolean =>
  a.column === b.column && a.operator === b.operator && textsOf(a).join("\n") === textsOf(b).join("\n");

/** What selects the rows: the text of null may be that of a value. */
const keyOf = ({ filters }: Pick<CardRow, "filters">): string =>
  filters.map((filter) => [filter.operator, ...textsOf(filter)].join(" ")).join();

/** The values of the matching rows, the most frequent first, each with its rows in the whole table. */
function matchedRows(column: Column, rows: number, { rows: matching, profile }: MatchedColumn): CardRow[] {
  const listed = cardRows({ ...column, profile }, matching, drawingOf(column.profile, rows) === "histogram");
  const ofTable = new Map(cardRows(column, rows).map((row) => [keyOf(row), row.whole]));
  const others = new Map((column.profile.top_values ?? []).map(({ value, count }) => [`eq ${value}`, count]));
  return listed.map((row) => ({
    ...row,
    matched: row.whole,
    whole: ofTable.get(keyOf(row)) ?? others.get(keyOf(row)),
  }));
}

function cardRows(column: Column, rows: number, hasBins = drawingOf(column.profile, rows) === "histogram"): CardRow[] {
  const { true_count: yes, null_count: nulls, top_values: top = [] } = column.profile;
  const equal = (value: string) => [filterOn(column, "eq", [value])];
  const none = nulls > 0 ? [{ text: "null", whole: nulls, filters: [filterOn(column, "is_null")] }] : [];
  if (yes !== undefined)
    return [
      { text: "true", whole: yes, filters: equal("true") },
      { text: "false", whole: rows - nulls - yes, filters: equal("false") },
      ...none,
    ];
  if (!column.operators.includes("eq") || hasBins) return none;
  const values = top.slice(0, VALUES_SHOWN).map(({ value, count }) => ({
    text: valueText(value, column) || "empty",
    whole: count,
    filters: equal(String(value)),
  }));
  return [...values, ...none];
}

function nullText({ profile }: Column, rows: number): string {
  return profile.null_count > 0 ? `, ${formatShare(profile.null_count / Math.max(rows, 1))} null` : ", never null";
}

/** Below the anchor, inside the window; on phones, the style sheet puts it at the bottom of the screen. */
function place(box: HTMLElement, anchor: HTMLElement): void {
  if (window.matchMedia("(max-width: 40rem)").matches) return;
  const { left, bottom } = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const top = Math.min(bottom + GAP_PX, window.innerHeight - height - EDGE_PX);
  box.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - width - EDGE_PX))}px`;
  box.style.top = `${Math.max(EDGE_PX, top)}px`;
}
