"use client";

import { Plus } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import type { ViewFilter } from "@/components/explorer/view/view";
import type { Column } from "@/lib/schemas/column";
import { draftFault, draftOf, emptyDraft, type FilterDraft, filterOf, newId } from "./filter-draft";
import { FilterRows } from "./filter-rows";

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
  const added = columns.find((column) => column.name === start) ?? columns[0];
  const withNew = (all: readonly FilterDraft[]) => (added ? [...all, emptyDraft(added, newId(all))] : all);
  const [drafts, setDrafts] = useState<readonly FilterDraft[]>(() => {
    const shown = filters.map(draftOf);
    return start !== undefined || shown.length === 0 ? withNew(shown) : shown;
  });
  const [isChecked, setChecked] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    if (drafts.every((draft) => draftFault(draft, columns) === undefined))
      onApply(drafts.map((draft) => filterOf(draft, columns)));
  };
  return (
    <form onSubmit={submit} className="editor" aria-label="Filters" noValidate>
      <p className="editor-hint">Show rows that match all of these filters.</p>
      <FilterRows drafts={drafts} columns={columns} isChecked={isChecked} focusesKnown onChange={setDrafts} />
      <div className="editor-buttons">
        <button type="button" className="button button-small" onClick={() => setDrafts(withNew)}>
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
