"use client";

import { X } from "lucide-react";
import type { MouseEvent } from "react";
import { isNarrowed } from "@/components/explorer/answer/answer-state";
import { filterText, lookupText, nearText, searchText, topText } from "@/components/explorer/view/english";
import { withoutFilter, withoutNear } from "@/components/explorer/view/view-changes";
import type { View, ViewColumn } from "@/lib/view/view";
import { withoutLookup } from "@/lib/view/view-address";

interface Props {
  view: View;
  columns: readonly ViewColumn[];
  urlOf: (view: View) => string;
  onShow: (view: View) => void;
  onEdit: () => void;
  /** How many rows match, as text; undefined until it is known. */
  matches: string | undefined;
}

/** The active filters and added columns, each with a button that removes it, or a link without JavaScript. */
export function FilterChips({ view, columns, urlOf, onShow, onEdit, matches }: Props) {
  const { search, near, top, lookups = [] } = view;
  if (!isNarrowed(view) && !near && lookups.length === 0) return null;
  const parts = [
    ...(search ? [{ words: searchText(search), rest: { ...view, search: undefined } }] : []),
    ...(near ? [{ words: nearText(near), rest: withoutNear(view) }] : []),
    ...lookups.map((lookup) => ({ words: lookupText(lookup), rest: withoutLookup(view, lookup.as, columns) })),
    ...(top ? [{ words: `only ${topText(top)}`, rest: { ...view, top: undefined } }] : []),
  ];
  return (
    <div className="flex flex-wrap gap-2">
      <ul aria-label="Active filters" className="contents">
        {parts.map(({ words, rest }) => (
          <li key={words} className="filter-chip">
            <span className="truncate">{words}</span>
            <Remove words={words} url={urlOf(rest)} onRemove={() => onShow(rest)} />
          </li>
        ))}
        {view.filters.map((filter, at) => {
          const words = filterText(filter, columns);
          const rest = withoutFilter(view, at);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal filters may be repeated.
            <li key={`${at}:${words}`} className="filter-chip">
              <button type="button" className="truncate" onClick={onEdit} title={`${words}. Change`}>
                {words}
              </button>
              <Remove words={words} url={urlOf(rest)} onRemove={() => onShow(rest)} />
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

function Remove({ words, url, onRemove }: { words: string; url: string; onRemove: () => void }) {
  const remove = (event: MouseEvent) => {
    event.preventDefault();
    onRemove();
  };
  return (
    <a href={url} onClick={remove} aria-label={`Remove: ${words}`}>
      <X size={14} aria-hidden="true" />
    </a>
  );
}
