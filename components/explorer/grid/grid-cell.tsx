"use client";

import { memo } from "react";
import { readRow } from "@/components/explorer/answer/reply-text";
import { computedText, isNumeric, valueText } from "@/components/values/value-text";
import type { GridColumn } from "./grid-columns";

/** No cell shows more at a time; the bar below the grid shows all of it. */
const CELL_TEXT_MAX = 160;

interface Props {
  text: string;
  /** From 0. */
  index: number;
  columns: readonly GridColumn[];
  /** The column of the cell that keys act on, where it is in this row. */
  active: number | undefined;
}

/** One row, parsed with all digits of its numbers when it scrolls into view. */
export const GridRow = memo(function GridRow({ text, index, columns, active }: Props) {
  const row = readRow(text);
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map((column, at) => (
        <GridCell
          key={column.name}
          value={row[column.name]}
          column={column}
          place={`${index}:${at}`}
          isFirst={at === 0}
          isActive={at === active}
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
}

function GridCell({ value, column, place, isFirst, isActive }: CellProps) {
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
    <td
      role={role}
      data-cell={place}
      tabIndex={isActive ? 0 : -1}
      className={isNumeric(column.type) ? "number" : undefined}
    >
      {shown}
    </td>
  );
}
