"use client";

import { useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { isNumeric, isTemporal, valueText } from "@/components/values/value-text";
import { parseColumnType } from "@/lib/engine/types/column-types";
import type { Profile } from "@/lib/schemas/column";
import { GridRow } from "./grid-cell";
import { GRID_FEATURES, type GridColumn, gridColumn } from "./grid-columns";
import { GridHead } from "./grid-head";
import { type Place, placeAfter } from "./grid-keys";
import type { HeadActions } from "./head-actions";

export const ROW_PX = 33;
/** Height of a head with profiles. */
const HEAD_PX = 112;
/** Height of a head whose profiles say which rows they are of. */
const HEAD_SCOPED_PX = 126;
/** Rows that the first paint shows, before the grid knows its own height. */
const FIRST_ROWS = 24;
const OVERSCAN = 6;
/** Distance from the end, in rows, at which the next page is requested. */
const NEAR_END = 40;
const NO_DATA: never[] = [];

interface Props {
  label: string;
  columns: readonly GridColumn[];
  /** Rows as JSON text. */
  rows: readonly string[];
  /** Rows of the result before the first of these. */
  before: number;
  /** Of the whole result, where it is known. */
  total: number | undefined;
  /** The query that the rows answer; for another query, the grid scrolls back to the top. */
  of: string | undefined;
  isStale: boolean;
  active: Place | undefined;
  onActive: (place: Place) => void;
  onNearEnd: () => void;
  actions: HeadActions;
  /** Shown instead of rows where there are none. */
  empty: ReactNode;
}

/**
 * Rows of a result, however many: only visible rows are in the document. The first column is sticky, and keys move from
 * cell to cell.
 */
export function ResultGrid({
  label,
  columns,
  rows,
  before: skipped,
  total,
  of,
  isStale,
  active,
  onActive,
  onNearEnd,
  actions,
  empty,
}: Props) {
  const scroller = useRef<HTMLElement>(null);
  const hasProfiles = columns.some((column) => column.profiled !== undefined);
  const headPx = hasProfiles ? (actions.isNarrowed ? HEAD_SCOPED_PX : HEAD_PX) : 54;
  const keepScroll = useEarlyScroll(scroller);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    useFlushSync: false,
    initialRect: { width: 0, height: (FIRST_ROWS - OVERSCAN) * ROW_PX },
    scrollPaddingEnd: headPx + ROW_PX,
  });
  useLayoutEffect(keepScroll, [keepScroll]);
  useTopOf(scroller, of);
  const defs = useMemo(
    () =>
      columns.map((column, at) =>
        gridColumn(column, at, columnWidth({ ...column, profile: column.profiled?.profile })),
      ),
    [columns],
  );
  const table = useTable({ features: GRID_FEATURES, columns: defs, data: NO_DATA, columnResizeMode: "onChange" });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  const isNearEnd = rows.length > 0 && last !== undefined && last.index >= rows.length - NEAR_END;
  // biome-ignore lint/correctness/useExhaustiveDependencies: newly loaded rows may also end near the visible ones.
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd, rows]);

  const goTo = (place: Place) => {
    if (place.row >= 0) {
      onActive(place);
      virtual.scrollToIndex(place.row, { align: "auto" });
    }
    focusCell(scroller.current, place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = placeOf(event.target);
    const extent = {
      rows: rows.length,
      columns: columns.length,
      page: Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headPx) / ROW_PX) - 1),
    };
    const next = from && placeAfter(event.key, from, extent, event.ctrlKey || event.metaKey);
    if (!next) return;
    event.preventDefault();
    goTo(next);
  };
  const onFocus = (event: FocusEvent | MouseEvent) => {
    const place = placeOf(event.target);
    if (place && place.row >= 0 && (place.row !== active?.row || place.column !== active?.column)) onActive(place);
  };

  const width = headers.reduce((sum, header) => sum + header.getSize(), 0);
  const before = items[0]?.start ?? 0;
  const after = last === undefined ? 0 : virtual.getTotalSize() - last.end;
  // its height is reserved, so that nothing below moves when the rows arrive
  const isWaiting = isStale && rows.length === 0 && actions.tableRows >= FIRST_ROWS;
  const isActiveShown = active !== undefined && items.some((item) => item.index === active.row);
  return (
    <section
      ref={scroller}
      aria-label={label}
      aria-busy={isStale}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
      tabIndex={0}
      className={`result-grid ${isStale ? "is-stale" : ""} ${isWaiting ? "is-waiting" : ""}`}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid takes keys, which a plain table does not.
        role="grid"
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-colcount={columns.length}
        width={width}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <colgroup>
          {headers.map((header) => (
            <col key={header.id} width={header.getSize()} />
          ))}
        </colgroup>
        <GridHead
          headers={headers}
          columns={columns}
          actions={actions}
          isResizing={table.state.columnResizing.isResizingColumn !== false}
        />
        <tbody>
          {before > 0 && <Gap height={before} span={columns.length} />}
          {items.map((item) => (
            <GridRow
              key={item.key}
              text={rows[item.index] ?? "{}"}
              index={item.index}
              skipped={skipped}
              columns={columns}
              active={active?.row === item.index ? active.column : !isActiveShown && item === items[0] ? 0 : undefined}
              isChosen={active?.row === item.index}
            />
          ))}
          {after > 0 && <Gap height={after} span={columns.length} />}
        </tbody>
      </table>
      {rows.length === 0 && empty}
    </section>
  );
}

/**
 * Restores how far the rows were scrolled before hydration: when the virtualizer starts, it assumes the top and scrolls
 * there. Call this before the virtualizer, and the returned function after it.
 */
function useEarlyScroll(scroller: RefObject<HTMLElement | null>): () => void {
  const early = useRef(0);
  useLayoutEffect(() => {
    early.current = scroller.current?.scrollTop ?? 0;
  }, [scroller]);
  return useCallback(() => {
    if (scroller.current && early.current > 0) scroller.current.scrollTop = early.current;
  }, [scroller]);
}

/** Scrolls to the first row when the rows belong to another query. */
function useTopOf(scroller: RefObject<HTMLElement | null>, query: string | undefined): void {
  const shown = useRef(query);
  useLayoutEffect(() => {
    if (shown.current !== query) scroller.current?.scrollTo({ top: 0 });
    shown.current = query;
  }, [scroller, query]);
}

/** Takes up the height of the rows that are not in the document. */
function Gap({ height, span }: { height: number; span: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus.
    <tr aria-hidden="true" className="grid-gap">
      <td colSpan={span} height={height} />
    </tr>
  );
}

function placeOf(target: EventTarget): Place | undefined {
  const [row, column] =
    (target as Element).closest?.("[data-cell]")?.getAttribute("data-cell")?.split(":").map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}

/** A row that was not visible is in the document a frame later. */
function focusCell(scroller: HTMLElement | null, { row, column }: Place, tries = 8): void {
  const cell = scroller?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
  if (cell) cell.focus({ preventScroll: false });
  else if (tries > 0) requestAnimationFrame(() => focusCell(scroller, { row, column }, tries - 1));
}

const NAME_PX = 8;

const DIGIT_PX = 7.6;

const ROOM_PX = 26;

const WIDTH_MIN = 112;

const WIDTH_MAX = 300;

interface Sized {
  name: string;
  type: string;
  profile?: Profile | undefined;
}

/** A column's initial width in pixels: enough for its name and most of its values, known before any row is loaded. */
function columnWidth(column: Sized): number {
  const name = column.name.length * NAME_PX + 58;
  return Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, name, valueLength(column) * DIGIT_PX + ROOM_PX)));
}

function valueLength({ name, type, profile }: Sized): number {
  if (profile?.length) return Math.min(profile.length.max, Number(profile.length.mean) * 1.6);
  if (isNumeric(type) || isTemporal(type)) {
    const ends = [profile?.min, profile?.max].map((value) => valueText(value, { name, type })?.length ?? 0);
    return Math.max(...ends);
  }
  return parseColumnType(type)?.view.width ?? 24;
}
