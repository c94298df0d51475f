"use client";

import { nearText } from "@/components/explorer/view/english";
import { isCaseSensitive, matchingPart } from "@/components/explorer/view/operator-text";
import { withoutFilter } from "@/components/explorer/view/view-changes";
import { formatCount } from "@/lib/kernel/format";
import { isGroupedView, type View, type ViewColumn, type ViewFilter } from "@/lib/view/view";

interface Props {
  /** Whether the answer is empty. */
  isAnswered: boolean;
  view: View;
  /** Of the table. */
  columns: readonly ViewColumn[];
  onView: (view: View) => void;
}

const inAnyCase = (filter: ViewFilter): ViewFilter =>
  isCaseSensitive(filter) ? { ...filter, ignore_case: true } : filter;

function NothingFound({ view, onView }: Pick<Props, "view" | "onView">) {
  return (
    <div className="grid-empty">
      <p>No rows contain “{view.search?.text}”.</p>
      <p className="mt-3">
        <button
          type="button"
          className="button button-small needs-script"
          onClick={() => onView({ ...view, search: undefined })}
        >
          Show all rows
        </button>
      </p>
    </div>
  );
}

/** Shown instead of rows: why there are none, and how to get some. */
export function NoRows({ isAnswered, view, columns, onView }: Props) {
  if (!isAnswered)
    return (
      <div className="grid-empty">
        <p className="needs-script">Loading…</p>
        <noscript>The service is temporarily unavailable. Reload this page in a minute.</noscript>
      </div>
    );
  if (view.firstRow !== undefined)
    return (
      <div className="grid-empty">
        <p>There is no row {formatCount(view.firstRow)}.</p>
        <p className="mt-3">
          <button
            type="button"
            className="button button-small needs-script"
            onClick={() => onView({ ...view, firstRow: undefined })}
          >
            Show the first rows
          </button>
        </p>
      </div>
    );
  if (view.filters.length === 0 && view.near?.km !== undefined)
    return <p className="grid-empty">There are no rows where {nearText(view.near)}.</p>;
  if (view.filters.length === 0 && view.search !== undefined) return <NothingFound view={view} onView={onView} />;
  if (view.filters.length === 0)
    return (
      <p className="grid-empty">{isGroupedView(view) ? "There is nothing to group." : "This table has no rows."}</p>
    );
  const parts = view.filters.map((filter) => matchingPart(filter, columns));
  return (
    <div className="grid-empty">
      <p>No rows match {view.filters.length === 1 ? "this filter" : `all ${view.filters.length} filters`}.</p>
      {view.filters.some(isCaseSensitive) && (
        <p className="mt-1">Text filters are case-sensitive: “california” doesn’t match “California”.</p>
      )}
      <p className="mt-3 flex flex-wrap justify-center gap-2">
        <button
          type="button"
          className="button button-small needs-script"
          onClick={() => onView(withoutFilter(view, view.filters.length - 1))}
        >
          Remove the last filter
        </button>
        {view.filters.some(isCaseSensitive) && (
          <button
            type="button"
            className="button button-small needs-script"
            onClick={() => onView({ ...view, filters: view.filters.map(inAnyCase) })}
          >
            Ignore case
          </button>
        )}
        {parts.some((filter, at) => filter !== view.filters[at]) && (
          <button
            type="button"
            className="button button-small needs-script"
            onClick={() => onView({ ...view, filters: parts })}
          >
            Match any part of the text
          </button>
        )}
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
