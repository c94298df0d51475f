"use client";

import { X } from "lucide-react";
import type { MouseEvent } from "react";
import { filterWords } from "@/components/explorer/view/english";
import type { View, ViewColumn } from "@/components/explorer/view/view";
import { withoutFilter } from "@/components/explorer/view/view-changes";

interface Props {
  view: View;
  columns: readonly ViewColumn[];
  urlOf: (view: View) => string;
  onShow: (view: View) => void;
  onEdit: () => void;
}

/** The filters that hold, each with a way to take it away, which is a link where there is no script. */
export function FilterChips({ view, columns, urlOf, onShow, onEdit }: Props) {
  if (view.filters.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {view.filters.map((filter, at) => {
        const words = filterWords(filter, columns);
        const rest = withoutFilter(view, at);
        const remove = (event: MouseEvent) => {
          event.preventDefault();
          onShow(rest);
        };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal filters may stand twice.
          <li key={`${at}:${words}`} className="filter-chip">
            <button type="button" className="truncate" onClick={onEdit} title={`${words}. Change`}>
              {words}
            </button>
            <a href={urlOf(rest)} onClick={remove} aria-label={`Remove: ${words}`}>
              <X size={14} aria-hidden="true" />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
