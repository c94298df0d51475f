"use client";

import { X } from "lucide-react";
import { useId } from "react";
import { operatorsOffered, operatorText } from "@/components/explorer/view/operator-text";
import type { OperatorName } from "@/lib/engine/types/operators";
import { canIgnoreCase, type FilterDraft, type FilteredColumn, ignoresCase, labelOf, onColumn } from "./filter-draft";
import { FilterFields } from "./filter-fields";

interface Props {
  draft: FilterDraft;
  columns: readonly FilteredColumn[];
  fault: string | undefined;
  isFocused: boolean;
  onChange: (draft: FilterDraft) => void;
  onRemove: () => void;
}

/** One condition: a column, an operator and the values that it takes. */
export function FilterRow({ draft, columns, fault, isFocused, onChange, onRemove }: Props) {
  const id = useId();
  const column = columns.find((entry) => entry.name === draft.column);
  const type = column?.type ?? "string";
  const choose = (name: string) => {
    const chosen = columns.find((entry) => entry.name === name);
    if (chosen) onChange(onColumn(draft, chosen));
  };
  return (
    <>
      <div className="filter-row">
        <select
          className="field"
          aria-label="Column"
          value={draft.column}
          onChange={(event) => choose(event.target.value)}
        >
          {columns.map((entry) => (
            <option key={entry.name} value={entry.name}>
              {labelOf(entry)}
            </option>
          ))}
        </select>
        <select
          className="field"
          aria-label="Condition"
          value={draft.operator}
          onChange={(event) => onChange({ ...draft, operator: event.target.value as OperatorName })}
        >
          {operatorsOffered(type, draft.operator).map((name) => (
            <option key={name} value={name}>
              {operatorText(name, type).replace(" (inclusive)", "")}
            </option>
          ))}
        </select>
        {column && (
          <FilterFields
            draft={draft}
            column={column}
            faultId={fault ? id : undefined}
            isFocused={isFocused}
            onChange={onChange}
          />
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove the filter on ${column ? labelOf(column) : draft.column}`}
          onClick={onRemove}
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {canIgnoreCase(draft, type) && (
        <label className="mt-1 flex items-center gap-2 text-muted text-xs">
          <input
            type="checkbox"
            checked={ignoresCase(draft, type)}
            onChange={(event) => onChange({ ...draft, ignoreCase: event.target.checked })}
          />
          Ignore case
        </label>
      )}
      {fault && (
        <p id={id} role="alert" className="mt-1 text-danger text-sm">
          {fault}
        </p>
      )}
    </>
  );
}
