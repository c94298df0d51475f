"use client";

import { draftFault, type FilterDraft, type FilteredColumn } from "./filter-draft";
import { FilterRow } from "./filter-row";

interface Props {
  drafts: readonly FilterDraft[];
  columns: readonly FilteredColumn[];
  /** Whether errors are shown. */
  isChecked: boolean;
  /** Whether the last row takes the focus although its value is known. */
  focusesKnown?: boolean;
  className?: string;
  onChange: (drafts: readonly FilterDraft[]) => void;
}

/** Conditions, each in a row. Those on results that no longer exist are not shown. */
export function FilterRows({ drafts, columns, isChecked, focusesKnown, className = "space-y-2.5", onChange }: Props) {
  const shown = drafts.filter(({ column }) => columns.some(({ name }) => name === column));
  return (
    <ul className={className}>
      {shown.map((draft, at) => (
        <li key={draft.id}>
          <FilterRow
            draft={draft}
            columns={columns}
            fault={isChecked ? draftFault(draft, columns) : undefined}
            isFocused={at === shown.length - 1 && (focusesKnown === true || draft.low === "")}
            onChange={(next) => onChange(drafts.map((other) => (other.id === next.id ? next : other)))}
            onRemove={() => onChange(drafts.filter((other) => other.id !== draft.id))}
          />
        </li>
      ))}
    </ul>
  );
}
