"use client";

import { stringify } from "lossless-json";
import { Filter, FilterX, Rows3 } from "lucide-react";
import { CopyButton } from "@/components/ui/copy-button";
import { valueText } from "@/components/values/value-text";
import { formatCount } from "@/lib/kernel/format";
import { sameValue, valueAsText } from "@/lib/view/filter-values";
import type { ViewColumn, ViewFilter } from "@/lib/view/view";

interface Props {
  column: ViewColumn;
  /** From 1. */
  row: number;
  value: unknown;
  /** The row's own page; absent where its place in the version is not known. */
  rowPage?: string | undefined;
  /** Absent if the column's values cannot be filtered by. */
  onFilter?: ((filters: readonly ViewFilter[]) => void) | undefined;
  /** Whether the view with this filter fits into a link. */
  fits: (filter: ViewFilter) => boolean;
  operators: readonly string[];
  /** Absent if the row is not a group. */
  onRows?: (() => void) | undefined;
}

/** The full content of the selected cell, however long, with actions on its value. */
export function CellBar({ column, row, value, rowPage, onFilter, fits, operators, onRows }: Props) {
  const text = valueText(value, column);
  const isNested = typeof value === "object" && value !== null && text?.startsWith(Array.isArray(value) ? "[" : "{");
  const equal = sameValue(column.name, value);
  const other: ViewFilter = { ...equal, operator: text === null ? "is_not_null" : "neq" };
  return (
    <>
      <span className="shrink-0 text-faint">
        {rowPage ? (
          <a className="link" href={rowPage}>
            Row {formatCount(row)}
          </a>
        ) : (
          `Row ${formatCount(row)}`
        )}
        , <b className="font-medium text-ink">{column.name}</b>
      </span>
      <pre className="cell-whole">
        {text === null ? <i className="null">null</i> : isNested ? stringify(value, undefined, 2) : text}
      </pre>
      <span className="flex min-w-0 flex-wrap items-center gap-1">
        <CopyButton text={valueAsText(value)} label="value" />
        {onRows && (
          <button type="button" className="button button-small" onClick={onRows}>
            <Rows3 size={14} aria-hidden="true" /> Rows of this group
          </button>
        )}
        {onFilter && operators.includes(equal.operator) && !fits(equal) && (
          <span className="text-faint">Too long to filter by</span>
        )}
        {onFilter && operators.includes(equal.operator) && fits(equal) && (
          <>
            <button type="button" className="button button-small" onClick={() => onFilter([equal])}>
              <Filter size={14} aria-hidden="true" /> Keep only this value
            </button>
            <button type="button" className="button button-small" onClick={() => onFilter([other])}>
              <FilterX size={14} aria-hidden="true" /> Exclude this value
            </button>
          </>
        )}
      </span>
    </>
  );
}
