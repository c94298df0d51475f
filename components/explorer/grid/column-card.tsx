"use client";

import { ArrowDown, ArrowUp, EyeOff, Filter, Group } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { filterOn, textsOf } from "@/components/explorer/view/filter-values";
import type { ViewFilter, ViewOrder } from "@/components/explorer/view/view";
import { HistogramBrush } from "@/components/profile/histogram-brush";
import { drawingOf } from "@/components/profile/profile-drawing";
import { CopyButton } from "@/components/ui/copy-button";
import { unitText } from "@/components/values/unit-text";
import { valueText } from "@/components/values/value-text";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import { formatPlural, formatShare } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";

const VALUES_SHOWN = 8;
const GAP_PX = 4;
const EDGE_PX = 8;

interface Props {
  column: Column;
  /** Of the table. */
  rows: number;
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
  const { column, rows, anchor, onClose } = props;
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
  words: string;
  count: number;
  filters: readonly ViewFilter[];
}

/** The values of a column, each with its share; clicking one shows only its rows. */
function CardValues({
  column,
  rows,
  held,
  onFilter,
}: {
  column: Column;
  rows: number;
  /** Filters of the view. */
  held: readonly ViewFilter[];
  onFilter: (filters: readonly ViewFilter[]) => void;
}) {
  const listed = [...cardRows(column, rows), ...nullRow(column)];
  if (listed.length === 0) return null;
  const most = Math.max(...listed.map(({ count }) => count), 1);
  return (
    <>
      <p className="mt-3 border-line border-t pt-2 text-faint text-xs">Values in the whole table, without filters</p>
      <ul className="mt-1 max-h-64 space-y-px overflow-y-auto" aria-label="Values in the whole table">
        {listed.map(({ words, count, filters }) => (
          <li key={words}>
            <button
              type="button"
              className="head-value card-value"
              aria-pressed={filters.every((filter) => held.some((old) => sameFilter(old, filter)))}
              onClick={() => onFilter(filters)}
              title={`${formatPlural(count, "row")} in the whole table. Click to show only these.`}
            >
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(count / most) * 100} height="1" />
              </svg>
              <span>{words}</span>
              <b>{formatShare(count / Math.max(rows, 1))}</b>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

const sameFilter = (a: ViewFilter, b: ViewFilter): boolean =>
  a.column === b.column && a.operator === b.operator && textsOf(a).join("\n") === textsOf(b).join("\n");

function cardRows(column: Column, rows: number): CardRow[] {
  const { true_count: yes, null_count: nulls, top_values: top = [] } = column.profile;
  const equal = (value: string) => [filterOn(column, "eq", [value])];
  if (yes !== undefined)
    return [
      { words: "true", count: yes, filters: equal("true") },
      { words: "false", count: rows - nulls - yes, filters: equal("false") },
    ];
  if (!column.operators.includes("eq") || drawingOf(column.profile, rows) === "histogram") return [];
  return top
    .slice(0, VALUES_SHOWN)
    .map(({ value, count }) => ({ words: valueText(value, column) || "empty", count, filters: equal(String(value)) }));
}

const nullRow = (column: Column): CardRow[] => {
  const { null_count: count } = column.profile;
  return count > 0 ? [{ words: "null", count, filters: [filterOn(column, "is_null")] }] : [];
};

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
