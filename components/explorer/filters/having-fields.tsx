"use client";

import { GROUP_FILTERS_MAX } from "@/lib/engine/grammar/bounds";
import { emptyDraft, type FilterDraft, type FilteredColumn, newId } from "./filter-draft";
import { FilterRows } from "./filter-rows";

interface Props {
  drafts: readonly FilterDraft[];
  /** The result's columns. */
  columns: readonly FilteredColumn[];
  isChecked: boolean;
  onChange: (drafts: readonly FilterDraft[]) => void;
}

/** Conditions on the groups themselves: only groups of more than 100 rows, for example. */
export function HavingFields({ drafts, columns, isChecked, onChange }: Props) {
  const last = columns.at(-1);
  if (!last) return null;
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="editor-hint">Only groups where</legend>
      <FilterRows drafts={drafts} columns={columns} isChecked={isChecked} onChange={onChange} />
      {drafts.length < GROUP_FILTERS_MAX && (
        <button
          type="button"
          className="link mt-1 text-sm"
          onClick={() => onChange([...drafts, emptyDraft(last, newId(drafts))])}
        >
          Add a condition on the groups
        </button>
      )}
    </fieldset>
  );
}
