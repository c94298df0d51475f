"use client";

import { MapPin, Plus } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import type { Column } from "@/lib/schemas/column";
import { isGroupedView, type View } from "@/lib/view/view";
import { draftFault, draftOf, emptyDraft, type FilterDraft, filterOf, newId } from "./filter-draft";
import { FilterRows } from "./filter-rows";
import { draftNear, emptyNear, nearFault, viewNear } from "./near-draft";
import { NearFields } from "./near-fields";

interface Props {
  view: View;
  columns: readonly Column[];
  /** A column to start a filter on. */
  start?: string | undefined;
  onApply: (view: View) => void;
  onClose: () => void;
}

/**
 * All filters of a view as a form, and the place that its rows are near to. Each column offers its own operators, and
 * every value is checked by the service's rules before it is sent.
 */
export function FilterEditor({ view, columns, start, onApply, onClose }: Props) {
  const added = columns.find((column) => column.name === start) ?? columns[0];
  const withNew = (all: readonly FilterDraft[]) => (added ? [...all, emptyDraft(added, newId(all))] : all);
  const [drafts, setDrafts] = useState<readonly FilterDraft[]>(() => {
    const shown = view.filters.map(draftOf);
    return start !== undefined || (shown.length === 0 && !view.near) ? withNew(shown) : shown;
  });
  const [near, setNear] = useState(() => view.near && draftNear(view.near, view));
  const [isNew, setNew] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    if (drafts.some((draft) => draftFault(draft, columns) !== undefined) || placeFault !== undefined) return;
    onApply({ ...viewNear(view, near), filters: drafts.map((draft) => filterOf(draft, columns)) });
  };
  const placeFault = near && nearFault(view, near, columns);
  const empty = emptyNear(columns);
  const addNear = () => {
    setDrafts((all) => all.filter(({ low, high, lines, operator }) => low + high + lines !== "" || isWhole(operator)));
    setNew(true);
    setNear(empty);
  };
  return (
    <form onSubmit={submit} className="editor" aria-label="Filters" noValidate>
      <p className="editor-hint">Show rows that match all of these filters.</p>
      <FilterRows drafts={drafts} columns={columns} isChecked={isChecked} focusesKnown onChange={setDrafts} />
      {near && (
        <NearFields
          draft={near}
          hasRows={!isGroupedView(view)}
          isFocused={isNew}
          fault={isChecked ? placeFault : undefined}
          onChange={setNear}
          onRemove={() => setNear(undefined)}
        />
      )}
      <div className="editor-buttons">
        <button type="button" className="button button-small" onClick={() => setDrafts(withNew)}>
          <Plus size={15} aria-hidden="true" /> Add a filter
        </button>
        {!near && empty && (
          <button type="button" className="button button-small" onClick={addNear}>
            <MapPin size={15} aria-hidden="true" /> Near a place
          </button>
        )}
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

/** Whether a condition needs no value. */
const isWhole = (operator: OperatorName): boolean => OPERATORS[operator].arity === "none";
