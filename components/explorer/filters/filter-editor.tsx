"use client";

import { Plus } from "lucide-react";
import { type SubmitEvent, useRef, useState } from "react";
import type { ViewFilter } from "@/components/explorer/view/view";
import type { Column } from "@/lib/schemas/column";
import { draftFault, draftOf, emptyDraft, type FilterDraft, filterOf } from "./filter-draft";
import { FilterRow } from "./filter-row";

interface Props {
  filters: readonly ViewFilter[];
  columns: readonly Column[];
  /** A column to start a filter on. */
  start?: string | undefined;
  onApply: (filters: readonly ViewFilter[]) => void;
  onClose: () => void;
}

/**
 * All filters of a view as a form. Each column offers its own operators, and every value is checked by the service's
 * rules before it is sent.
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
  const faults = drafts.map((draft) => draftFault(draft, columns));
  const change = (next: FilterDraft) => setDrafts((all) => all.map((draft) => (draft.id === next.id ? next : draft)));
  const add = () => {
    const column = added();
    if (column) setDrafts((all) => [...all, emptyDraft(column, newId())]);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    if (faults.every((fault) => fault === undefined)) onApply(drafts.map((draft) => filterOf(draft, columns)));
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
          <Plus size={15} aria-hidden="true" /> Add a filter
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
