"use client";

import type { Header } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronDown } from "lucide-react";
import { type MouseEvent, memo } from "react";
import { unitText } from "@/components/values/unit-text";
import { isNumeric } from "@/components/values/value-text";
import type { ViewOrder } from "@/lib/view/view";
import type { GRID_FEATURES, GridColumn } from "./grid-columns";
import type { HeadActions } from "./head-actions";
import { HeadProfile } from "./head-profile";
import { matchedColumn } from "./use-row-profile";

type GridHeader = Header<typeof GRID_FEATURES, never, unknown>;

interface Props {
  headers: readonly GridHeader[];
  columns: readonly GridColumn[];
  actions: HeadActions;
  isResizing: boolean;
}

/**
 * Names, types, units and profiles of the columns; clicking a name sorts, the arrow next to it opens the column's card.
 */
export const GridHead = memo(function GridHead({ headers, columns, actions, isResizing }: Props) {
  return (
    <thead className={isResizing ? "is-resizing" : undefined}>
      <tr aria-rowindex={1}>
        {headers.map((header, at) => {
          const column = columns[at];
          return column && <HeadCell key={header.id} header={header} column={column} at={at} actions={actions} />;
        })}
      </tr>
    </thead>
  );
});

function HeadCell({
  header,
  column,
  at,
  actions,
}: {
  header: GridHeader;
  column: GridColumn;
  at: number;
  actions: HeadActions;
}) {
  const place = actions.order.findIndex((key) => key.column === column.name);
  const key = actions.order[place];
  const sorted = key && (`${key.direction}ending` as const);
  return (
    <th scope="col" aria-sort={sorted ?? "none"} className={isNumeric(column.type) ? "number" : undefined}>
      <div className="flex items-center gap-1">
        <HeadName
          column={column}
          actions={actions}
          order={key && { ...key, place: actions.order.length > 1 ? place + 1 : undefined }}
        />
        {actions.hasCard(column.name) && (
          <button
            type="button"
            data-cell={`-1:${at}`}
            tabIndex={-1}
            className="head-menu needs-script"
            aria-label={`About ${column.name}`}
            aria-haspopup="dialog"
            onClick={(event) => actions.onCard(column.name, event.currentTarget)}
          >
            <ChevronDown size={15} aria-hidden="true" />
          </button>
        )}
      </div>
      <p className="truncate font-normal text-faint text-xs">
        {column.type}
        {column.unit ? `, ${unitText(column.unit)}` : ""}
      </p>
      {column.profiled && (
        <HeadProfile
          column={column.profiled}
          rows={actions.tableRows}
          matched={matchedColumn(actions.matched, column.name)}
          isNarrowed={actions.isNarrowed}
          filters={actions.filters}
          onFilter={actions.onFilter}
        />
      )}
      <span
        aria-hidden="true"
        className="head-edge"
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
      />
    </th>
  );
}

function HeadName({
  column,
  actions,
  order,
}: {
  column: GridColumn;
  actions: HeadActions;
  order: (ViewOrder & { place: number | undefined }) | undefined;
}) {
  if (!actions.canSort(column.name)) return <span className="min-w-0 flex-1 truncate">{column.name}</span>;
  const sort = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions.onSort(column.name, event.shiftKey);
  };
  const Arrow = order?.direction === "desc" ? ArrowDown : ArrowUp;
  return (
    <a
      href={actions.sortUrl(column.name)}
      onClick={sort}
      className="head-name"
      title={`Sort by ${column.name}. Shift-click to add it to the current order.`}
    >
      <span className="truncate">{column.name}</span>
      {order && <Arrow size={14} aria-hidden="true" className="shrink-0 text-accent" />}
      {order?.place !== undefined && <span className="text-accent text-xs">{order.place}</span>}
    </a>
  );
}
