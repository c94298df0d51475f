"use client";

import { isCaseSensitive } from "@/components/explorer/view/operator-words";
import { isGroupedView, type View } from "@/components/explorer/view/view";
import { withoutFilter } from "@/components/explorer/view/view-changes";

interface Props {
  /** Whether it is the answer that has no rows. */
  isAnswered: boolean;
  view: View;
  onView: (view: View) => void;
}

/** Stands where rows would: why there are none, and the way back to some. */
export function NoRows({ isAnswered, view, onView }: Props) {
  if (!isAnswered)
    return (
      <div className="grid-empty">
        <p className="needs-script">Loading…</p>
        <noscript>The service could not answer just now. Load this page again in a minute.</noscript>
      </div>
    );
  if (view.filters.length === 0)
    return (
      <p className="grid-empty">{isGroupedView(view) ? "There is nothing to group." : "This table has no rows."}</p>
    );
  return (
    <div className="grid-empty">
      <p>No row matches {view.filters.length === 1 ? "this filter" : `all ${view.filters.length} filters`}.</p>
      {view.filters.some(isCaseSensitive) && (
        <p className="mt-1">Text filters are case-sensitive: “california” doesn't match “California”.</p>
      )}
      <p className="mt-3 flex flex-wrap justify-center gap-2">
        <button
          type="button"
          className="button button-small needs-script"
          onClick={() => onView(withoutFilter(view, view.filters.length - 1))}
        >
          Remove the last filter
        </button>
        {view.filters.length > 1 && (
          <button
            type="button"
            className="button button-small needs-script"
            onClick={() => onView({ ...view, filters: [] })}
          >
            Remove all filters
          </button>
        )}
      </p>
    </div>
  );
}
