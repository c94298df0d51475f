"use client";

import { useRef } from "react";
import type { ViewColumn } from "@/components/explorer/view/view";
import { GROUP_FILTERS_MAX } from "@/lib/engine/grammar/bounds";
import { draftFault, emptyDraft, type FilterDraft } from "./filter-draft";
import { FilterRow } from "./filter-row";

interface Props {
  drafts: readonly FilterDraft[];
  /** The result's columns. */
  columns: readonly ViewColumn[];
  isChecked: boolean;
  onChange: (drafts: readonly FilterDraft[]) => void;
}

/** Conditions on the groups themselves: only groups of more than 100 rows, for example. */
export function HavingFields({ drafts, columns, isChecked, onChange }: Props) {
  const nextId = useRef(1 + Math.max(-1, ...drafts.map(({ id }) => id)));
  const last = columns.at(-1);
  const shown = drafts.filter(({ column }) => columns.some(({ name }) => name === column));
  if (!last) return null;
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="editor-hint">Only groups where</legend>
      <ul className="space-y-2.5">
        {shown.map((draft, at) => (
          <li key={draft.id}>
            <FilterRow
              draft={draft}
              columns={columns}
              fault={isChecked ? draftFault(draft, columns) : undefined}
              isFocused={at === shown.length - 1 && draft.low === ""}
              onChange={(next) => onChange(drafts.map((other) => (other.id === next.id ? next : other)))}
              onRemove={() => onChange(drafts.filter((other) => other.id !== draft.id))}
            />
          </li>
        ))}
      </ul>
      {drafts.length < GROUP_FILTERS_MAX && (
        <button
          type="button"
          className="link mt-1 text-sm"
          onClick={() => onChange([...drafts, emptyDraft(last, nextId.current++)])}
        >
          Add a condition on the groups
        </button>
      )}
    </fieldset>
  );
}
