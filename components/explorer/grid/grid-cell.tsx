"use client";

import { memo } from "react";
import { readRow } from "@/components/explorer/answer/reply-text";
import { computedText, isNumeric, valueText } from "@/components/values/value-text";
import type { GridColumn } from "./grid-columns";

/** A cell shows no more than this; the bar below the grid shows the full value. */
const CELL_TEXT_MAX = 160;

interface Props {
  text: string;
  /** From 0. */
  index: number;
  /** Rows of the result before the first that was loaded. */
  skipped: number;
  columns: readonly GridColumn[];
  /** The column of the cell that keys act on, where it is in this row. */
  active: number | undefined;
  /** Whether that cell is selected: its content is in the bar below. */
  isChosen: boolean;
}

/** One row, parsed with all digits of its numbers when it scrolls into view. */
export const GridRow = memo(function GridRow({ text, index, skipped, columns, active, isChosen }: Props) {
  const row = readRow(text);
  return (
    <tr aria-rowindex={skipped + index + 2}>
      {columns.map((column, at) => (
        <GridCell
          key={column.name}
          value={row[column.name]}
          column={column}
          place={`${index}:${at}`}
          isFirst={at === 0}
          isActive={at === active}
          isChosen={isChosen && at === active}
        />
      ))}
    </tr>
  );
});

interface CellProps {
  value: unknown;
  column: GridColumn;
  place: string;
  isFirst: boolean;
  isActive: boolean;
  isChosen: boolean;
}

function GridCell({ value, column, place, isFirst, isActive, isChosen }: CellProps) {
  const text = column.isComputed ? computedText(value, column) : valueText(value, column);
  const shown =
    text === null ? (
      <i className="null">null</i>
    ) : text === "" ? (
      <i className="null">empty</i>
    ) : (
      text.slice(0, CELL_TEXT_MAX)
    );
  const role = isFirst ? "rowheader" : "gridcell";
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support it.
    <td
      role={role}
      data-cell={place}
      tabIndex={isActive ? 0 : -1}
      aria-selected={isChosen || undefined}
      className={isNumeric(column.type) ? "number" : undefined}
    >
      {shown}
    </td>
  );
}
