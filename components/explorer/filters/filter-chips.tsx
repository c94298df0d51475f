"use client";

import { X } from "lucide-react";
import type { MouseEvent } from "react";
import { isNarrowed } from "@/components/explorer/answer/answer-state";
import { filterText, nearText, searchText, topText } from "@/components/explorer/view/english";
import type { View, ViewColumn } from "@/components/explorer/view/view";
import { withoutFilter, withoutNear } from "@/components/explorer/view/view-changes";

interface Props {
  view: View;
  columns: readonly ViewColumn[];
  urlOf: (view: View) => string;
  onShow: (view: View) => void;
  onEdit: () => void;
  /** How many rows match, as text; undefined until it is known. */
  matches: string | undefined;
}

/** The active filters, each with a button that removes it, or a link without JavaScript. */
export function FilterChips({ view, columns, urlOf, onShow, onEdit, matches }: Props) {
  if (!isNarrowed(view) && !view.near) return null;
  const unsearched = { ...view, search: undefined };
  return (
    <div className="flex flex-wrap gap-2">
      <ul aria-label="Active filters" className="contents">
        {view.search !== undefined && (
          <li className="filter-chip">
            <span className="truncate">{searchText(view.search)}</span>
            <a
              href={urlOf(unsearched)}
              onClick={(event) => {
                event.preventDefault();
                onShow(unsearched);
              }}
              aria-label={`Remove: ${searchText(view.search)}`}
            >
              <X size={14} aria-hidden="true" />
            </a>
          </li>
        )}
        {view.near && (
          <li className="filter-chip">
            <span className="truncate">{nearText(view.near)}</span>
            <a
              href={urlOf(withoutNear(view))}
              onClick={(event) => {
                event.preventDefault();
                onShow(withoutNear(view));
              }}
              aria-label={`Remove: ${nearText(view.near)}`}
            >
              <X size={14} aria-hidden="true" />
            </a>
          </li>
        )}
        {view.top && (
          <li className="filter-chip">
            <span className="truncate">only {topText(view.top)}</span>
            <a
              href={urlOf({ ...view, top: undefined })}
              onClick={(event) => {
                event.preventDefault();
                onShow({ ...view, top: undefined });
              }}
              aria-label={`Remove: only ${topText(view.top)}`}
            >
              <X size={14} aria-hidden="true" />
            </a>
          </li>
        )}
        {view.filters.map((filter, at) => {
          const words = filterText(filter, columns);
          const rest = withoutFilter(view, at);
          const remove = (event: MouseEvent) => {
            event.preventDefault();
            onShow(rest);
          };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal filters may be repeated.
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
      <p role="status" className="self-center text-muted text-sm tabular-nums">
        {matches}
      </p>
    </div>
  );
}
