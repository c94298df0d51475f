"use client";

import { Plus, X } from "lucide-react";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { isCaseSensitive, operatorsOffered, operatorWords } from "@/components/explorer/view/operator-words";
import type { ViewFilter } from "@/components/explorer/view/view";
import type { OperatorName } from "@/lib/engine/types/operators";
import type { Column } from "@/lib/schemas/column";
import { draftFault, draftOf, emptyDraft, type FilterDraft, filterOf, onColumn } from "./filter-draft";
import { FilterFields } from "./filter-fields";

interface Props {
  filters: readonly ViewFilter[];
  columns: readonly Column[];
  /** A column to add a filter for at once. */
  start?: string | undefined;
  onApply: (filters: readonly ViewFilter[]) => void;
  onClose: () => void;
}

/**
 * All filters of a view as a form: each column offers its own operators, and every value is checked by the service's
 * own rules before it is sent.
 */
export function FilterEditor({ filters, columns, start, onApply, onClose }: Props) {
  const nextId = useRef(0);
  const newId = () => nextId.current++;
  const added = () => columns.find((column) => column.name === start) ?? columns[0];
  const [drafts, setDrafts] = useState<FilterDraft[]>(() => {
    const shown = filters.map((filter) => draftOf(filter, newId()));
    const column = added();
    return column && (start !== undefined || shown.length === 0) ? [...shown, emptyDraft(column, newId())] : shown;
  });
  const [isChecked, setChecked] = useState(false);
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? "string";
  const faults = drafts.map((draft) => draftFault(draft, columns));
  const change = (next: FilterDraft) => setDrafts((all) => all.map((draft) => (draft.id === next.id ? next : draft)));
  const add = () => {
    const column = added();
    if (column) setDrafts((all) => [...all, emptyDraft(column, newId())]);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    if (faults.every((fault) => fault === undefined))
      onApply(drafts.map((draft) => filterOf(draft, typeOf(draft.column))));
  };
  return (
    <form onSubmit={submit} className="editor" aria-label="Filters" noValidate>
      <p className="editor-hint">Show rows that match all of these filters.</p>
      <ul className="space-y-2.5">
        {drafts.map((draft, at) => (
          <li key={draft.id}>
            <FilterRow
              draft={draft}
              columns={columns}
              fault={isChecked ? faults[at] : undefined}
              isFocused={at === drafts.length - 1}
              onChange={change}
              onRemove={() => setDrafts((all) => all.filter((other) => other.id !== draft.id))}
            />
          </li>
        ))}
      </ul>
      <div className="editor-buttons">
        <button type="button" className="button button-small" onClick={add}>
          <Plus size={15} aria-hidden="true" /> Another filter
        </button>
        <span className="flex-1" />
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
        <button type="submit" className="button button-small button-primary">
          Apply
        </button>
      </div>
    </form>
  );
}

interface RowProps {
  draft: FilterDraft;
  columns: readonly Column[];
  fault: string | undefined;
  isFocused: boolean;
  onChange: (draft: FilterDraft) => void;
  onRemove: () => void;
}

function FilterRow({ draft, columns, fault, isFocused, onChange, onRemove }: RowProps) {
  const id = useId();
  const column = columns.find((entry) => entry.name === draft.column);
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
            <option key={entry.name}>{entry.name}</option>
          ))}
        </select>
        <select
          className="field"
          aria-label="Condition"
          value={draft.operator}
          onChange={(event) => onChange({ ...draft, operator: event.target.value as OperatorName })}
        >
          {operatorsOffered(column?.type ?? "string", draft.operator).map((name) => (
            <option key={name} value={name}>
              {operatorWords(name, column?.type ?? "string").replace(" (inclusive)", "")}
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
          aria-label={`Remove the filter on ${draft.column}`}
          onClick={onRemove}
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {isCaseSensitive(draft) && (
        <p className="mt-1 text-muted text-xs">Case-sensitive: “california” doesn't match “California”.</p>
      )}
      {fault && (
        <p id={id} role="alert" className="mt-1 text-danger text-sm">
          {fault}
        </p>
      )}
    </>
  );
}
