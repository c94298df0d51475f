"use client";

import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { orNotLoaded } from "@/components/ui/not-loaded";
import { TEXT_MAX } from "@/lib/engine/types/filter-value";
import { textsOf } from "@/lib/view/filter-values";
import { distancesIn, isGroupedView, type View } from "@/lib/view/view";
import { fitsAddress, rowIn, viewSearch } from "@/lib/view/view-address";
import { type Answered, isAsStored, isNarrowed } from "./answer/answer-state";
import { NoRows } from "./answer/no-rows";
import { readRow } from "./answer/reply-text";
import { CellBar } from "./grid/cell-bar";
import type { HeadActions } from "./grid/head-actions";
import { ResultGrid } from "./grid/result-grid";
import { matchedColumn } from "./grid/use-row-profile";
import { RowPager } from "./row-pager";
import type { ExplorerState } from "./use-explorer";
import { leadsToRows } from "./view/group-filters";
import { countedBy, fromStart, rowsOfGroup, withFilter, withRange, withSort } from "./view/view-changes";

const NO_ROWS: readonly string[] = [];

const ColumnCard = dynamic(() => orNotLoaded(import("./grid/column-card").then((module) => module.ColumnCard)));

interface OpenCard {
  column: string;
  anchor: HTMLElement;
}

/** The rows of the answer, the card of a column and the bar of a cell. */
export function ExplorerGrid({ state }: { state: ExplorerState }) {
  const { table, view, columns, isGrouped, answer, present, shown, active, setActive, change } = state;
  const [card, setCard] = useState<OpenCard>();
  const actions: HeadActions = {
    order: view.order_by,
    filters: view.filters,
    isNarrowed: isNarrowed(view),
    tableRows: table.rows,
    matched: state.matched,
    canSort: (name) =>
      isGrouped
        ? view.group_by.length > 0
        : columns.some((column) => column.name === name && column.operators.includes("eq")) ||
          distancesIn(view).some((column) => column.name === name),
    sortUrl: (name) => `${table.path}${viewSearch(fromStart(withSort(view, name, false), view))}`,
    onSort: (name, add) => change(withSort(view, name, add)),
    onFilter: state.addFilters,
    onCard: (column, anchor) => setCard({ column, anchor }),
    hasCard: (name) => columns.some((column) => column.name === name),
  };
  return (
    <>
      <ResultGrid
        label={isGrouped ? `Groups of ${table.name}` : `Rows of ${table.name}`}
        columns={shown}
        rows={answer.answered?.rows ?? NO_ROWS}
        total={present && totalOf(present, table.rows)}
        before={(answer.answered?.view.firstRow ?? 1) - 1}
        of={answer.answered?.key}
        isStale={!present}
        active={active}
        onActive={setActive}
        onNearEnd={answer.more}
        empty={<NoRows isAnswered={present !== undefined} view={view} columns={columns} onView={change} />}
        actions={actions}
      />
      <ActiveCell state={state} />
      <RowPager state={state} />
      {card && <OpenedCard key={card.column} card={card} state={state} onClose={() => setCard(undefined)} />}
    </>
  );
}

/** Number of rows of the view, if known without counting. */
export function totalOf({ view, rows, next, facts }: Answered, tableRows: number): number | undefined {
  if (next === null) return (view.firstRow ?? 1) - 1 + rows.length;
  if (facts.total !== undefined) return Math.min(facts.total, view.limit ?? facts.total);
  return isGroupedView(view) || isNarrowed(view) ? undefined : Math.min(tableRows, view.limit ?? tableRows);
}

function ActiveCell({
  state: { table, active, shown, present, columns, view, isGrouped, addFilters, change },
}: {
  state: ExplorerState;
}) {
  const column = active && shown[active.column];
  const text = active && present?.rows[active.row];
  const first = view.firstRow ?? 1;
  const row = useMemo(() => (text === undefined ? undefined : readRow(text)), [text]);
  if (!column || !row)
    return (
      <p className="cell-bar needs-script text-faint">
        Select a cell to read, copy or filter by its full value. Use the arrow keys to move.
      </p>
    );
  return (
    <div className="cell-bar needs-script">
      <CellBar
        column={column}
        row={first + active.row}
        value={row[column.name]}
        rowPage={
          isAsStored(view) && present && table.published
            ? rowIn(table.path, first + active.row, present.facts.versionId)
            : undefined
        }
        operators={columns.find(({ name }) => name === column.name)?.operators ?? []}
        fits={(filter) => (textsOf(filter)[0]?.length ?? 0) <= TEXT_MAX && fitsAddress(withFilter(view, filter))}
        onFilter={isGrouped && !isOwnValues(view, column.name) ? undefined : addFilters}
        onRows={leadsToRows(view, row) ? () => change(rowsOfGroup(view, row, columns)) : undefined}
      />
    </div>
  );
}

/** Whether a result's column is a group of a column's own values, which a filter can select. */
const isOwnValues = ({ group_by }: View, name: string): boolean => group_by.includes(name);

function OpenedCard({ card, state, onClose }: { card: OpenCard; state: ExplorerState; onClose: () => void }) {
  const { view, columns, shown, isGrouped, change } = state;
  const column = columns.find(({ name }) => name === card.column);
  if (!column) return null;
  const others = shown.map(({ name }) => name).filter((name) => name !== card.column);
  return (
    <ColumnCard
      column={column}
      rows={state.table.rows}
      matched={matchedColumn(state.matched, column.name)}
      anchor={card.anchor}
      onSort={(direction) => change({ ...view, order_by: [{ column: card.column, direction }] })}
      onFilter={state.addFilters}
      filters={view.filters}
      onRange={(filters) => change(withRange(view, card.column, filters))}
      onEditFilter={() => state.setEditor({ name: "filter", column: card.column })}
      onGroup={() => change(countedBy(view, column))}
      onHide={isGrouped || others.length === 0 ? undefined : () => change({ ...view, columns: others })}
      onClose={onClose}
    />
  );
}
