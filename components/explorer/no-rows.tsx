"use client";

import type { AnswerState } from "./answer-state";
import { isGroupedView, type View } from "./view";
import { withoutFilter } from "./view-changes";

/** What stands where rows would: why there are none, and the way back to some. */
export function NoRows({ answer, view, onView }: { answer: AnswerState; view: View; onView: (view: View) => void }) {
  if (answer.phase === "asking")
    return (
      <div className="grid-empty">
        <p className="needs-script">Asking…</p>
        <noscript>The service could not answer just now. Load this page again in a minute.</noscript>
      </div>
    );
  if (answer.phase === "failed") return <p className="grid-empty">No rows: the query was not answered. See below.</p>;
  if (view.filters.length === 0)
    return (
      <p className="grid-empty">{isGroupedView(view) ? "There is nothing to group." : "This table has no rows."}</p>
    );
  return (
    <div className="grid-empty">
      <p>No row meets {view.filters.length === 1 ? "this filter" : `all ${view.filters.length} filters`}.</p>
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
