"use client";

import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { DatasetCard } from "@/components/dataset/dataset-card";
import {
  type DirectoryState,
  directoryUrl,
  FACETS,
  type readDirectoryState,
  SIZE_LABELS,
  toggled,
} from "@/components/dataset/directory-url";
import { marksOf } from "@/components/ui/mark-words";
import { formatPlural } from "@/lib/kernel/format";
import { FRESHNESS_STATES } from "@/lib/schemas/freshness";
import type { DirectoryData } from "./directory-data";
import { EmptyResults } from "./empty-results";
import { FacetPanel } from "./facet-panel";
import { PrivateDatasets } from "./private-datasets";
import { SearchBox } from "./search-box";
import { SearchNotice, TroubleNotice } from "./search-notice";
import { useDirectory } from "./use-directory";

interface Props {
  /** The URL that the server rendered, and its content. */
  url: string;
  data: DirectoryData;
  /** The time of rendering, so that the browser shows the same ages. */
  now: string;
}

/** The directory: without JavaScript the server's page, otherwise every state loads in place. */
export function Directory({ url, data: first, now }: Props) {
  const { state, data, isPending, trouble, retry } = useDirectory({ url, data: first });
  const region = useRef<HTMLDivElement>(null);
  useOwnLinks(region);
  const { catalogue, facets } = data;
  const labelOf = (name: string, value: string) => labelled(facets, name, value);
  const marks = state.q ? marksOf(facets.words) : undefined;
  const filters = FACETS.reduce((count, { name }) => count + (state[name]?.length ?? 0), 0);
  return (
    <div ref={region}>
      <div className="mt-5 max-w-2xl">
        <SearchBox state={state} />
      </div>
      <div className="mt-8 grid gap-x-12 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <FacetPanel active={filters} facets={facets} state={state} labelOf={labelOf} />
        <section aria-labelledby="results" aria-busy={isPending && !trouble} className="directory-results min-w-0">
          <PrivateDatasets state={state} />
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b pb-2.5">
            <h2 id="results" tabIndex={-1} className="wrap-anywhere font-medium text-sm tracking-normal">
              <span role="status">
                {formatPlural(catalogue.total, "dataset")}
                {state.q && !isPending && <> for “{state.q}”</>}
              </span>
            </h2>
            {catalogue.total > 0 && <SortLinks state={state} />}
          </div>
          <div className="directory-progress" aria-hidden="true" />
          {trouble && <TroubleNotice trouble={trouble} onRetry={retry} />}
          <ActiveFilters state={state} labelOf={labelOf} />
          {catalogue.total > 0 && <SearchNotice state={state} facets={facets} />}
          {catalogue.datasets.length === 0 ? (
            <EmptyResults state={state} data={data} now={new Date(now)} labelOf={labelOf} />
          ) : (
            <ul className="divide-y divide-line border-line border-b">
              {catalogue.datasets.map((entry) => (
                <li key={entry.slug}>
                  <DatasetCard entry={entry} now={new Date(now)} {...(marks && { marks })} level="h3" full />
                </li>
              ))}
            </ul>
          )}
          <Pages state={state} next={catalogue.next_cursor} />
        </section>
      </div>
    </div>
  );
}

function Pages({ state, next }: { state: ReturnType<typeof readDirectoryState>; next: string | null }) {
  if (!next && !state.cursor) return null;
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap items-center gap-3">
      {state.cursor && (
        <a className="button" href={directoryUrl({ ...state, cursor: undefined })}>
          First page
        </a>
      )}
      {next && (
        <a className="button" rel="next" href={directoryUrl({ ...state, cursor: next })}>
          Next page
        </a>
      )}
    </nav>
  );
}

/** A value's label: publishers by name, sizes and states as text. */
function labelled(facets: DirectoryData["facets"], name: string, value: string): string {
  if (name === "size") return SIZE_LABELS[value as keyof typeof SIZE_LABELS] ?? value;
  if (name === "freshness") return FRESHNESS_STATES[value as keyof typeof FRESHNESS_STATES]?.title ?? value;
  return (
    facets.facets[name as keyof DirectoryData["facets"]["facets"]]?.find((entry) => entry.value === value)?.label ??
    value
  );
}

/** Links to other states of the directory only change the URL; another page of results starts at its top. */
function useOwnLinks(region: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a");
      const own = link && link.origin === window.location.origin && link.pathname === "/datasets";
      if (!own || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      window.history.pushState(null, "", link.href);
      if (link.closest("nav[aria-label=Pages]")) document.getElementById("results")?.focus();
    };
    const { current } = region;
    current?.addEventListener("click", follow, { capture: true });
    return () => current?.removeEventListener("click", follow, { capture: true });
  }, [region]);
}

/**
 * The active filters of the directory, each with a link that removes it. `labelOf` returns a value's name for people.
 */
function ActiveFilters({ state, labelOf }: { state: DirectoryState; labelOf(name: string, value: string): string }) {
  const active = FACETS.flatMap(({ name, title }) => (state[name] ?? []).map((value) => ({ name, title, value })));
  if (active.length === 0) return null;
  const none = Object.fromEntries(FACETS.map(({ name }) => [name, undefined]));
  return (
    <ul aria-label="Active filters" className="mt-4 flex flex-wrap items-center gap-1.5">
      {active.map(({ name, title, value }) => (
        <li key={`${name} ${value}`}>
          <a
            className="chip gap-1.5 bg-accent-soft text-accent"
            href={directoryUrl(toggled(state, name, value))}
            aria-label={`Remove the filter ${title}: ${labelOf(name, value)}`}
          >
            {title}: {labelOf(name, value)}
            <X size={13} aria-hidden="true" />
          </a>
        </li>
      ))}
      {active.length > 1 && (
        <li>
          <a className="link ml-1.5 text-xs" href={directoryUrl({ ...state, ...none, cursor: undefined })}>
            Clear all
          </a>
        </li>
      )}
    </ul>
  );
}

const SORTS = [
  { value: "relevance", label: "Best match" },
  { value: "published", label: "Newest" },
  { value: "title", label: "Title" },
] as const;

/** The orders of the directory as links. Best match requires search text. */
function SortLinks({ state }: { state: DirectoryState }) {
  const fallback = state.q ? "relevance" : "published";
  const current = state.q || state.sort !== "relevance" ? (state.sort ?? fallback) : fallback;
  return (
    <nav aria-label="Sort" className="flex flex-wrap items-center gap-x-1 text-sm">
      {SORTS.filter((sort) => sort.value !== "relevance" || state.q).map((sort) => (
        <a
          key={sort.value}
          href={directoryUrl({ ...state, sort: sort.value === fallback ? undefined : sort.value, cursor: undefined })}
          aria-current={sort.value === current ? "true" : undefined}
          className={
            "rounded-md px-2.5 py-1 " +
            `${sort.value === current ? "bg-surface font-medium text-ink" : "text-muted hover:text-ink"}`
          }
        >
          {sort.label}
        </a>
      ))}
    </nav>
  );
}
