import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { findDatasets } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { ActiveFilters } from "@/components/active-filters";
import { DatasetCard } from "@/components/dataset-card";
import { type DirectoryState, directoryUrl, readDirectoryState } from "@/components/directory-url";
import { EmptyResults } from "@/components/empty-results";
import { facetCounts } from "@/components/facet-counts";
import { FacetList } from "@/components/facet-list";
import { SearchForm } from "@/components/search-form";
import { readSort, SortLinks } from "@/components/sort-links";
import { Failure } from "@/lib/errors";
import { formatCount, formatPlural } from "@/lib/format";
import type { Catalogue } from "@/lib/schemas/dataset";

export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const FACET_ENTRIES = 100;
const FACETS = [
  { name: "topic", title: "Topic" },
  { name: "publisher", title: "Publisher" },
  { name: "license", title: "Licence" },
] as const;

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const state = readDirectoryState(await searchParams);
  const title = state.q ? `“${state.q}” in datasets` : "Datasets";
  return {
    title,
    description: "The directory of open datasets: search by words, topic, publisher and licence.",
    alternates: { canonical: directoryUrl({ topic: state.topic, publisher: state.publisher }) },
  };
}

export default async function DirectoryPage({ searchParams }: Props) {
  const ctx = pageContext();
  const state = readDirectoryState(await searchParams);
  const [page, all] = await Promise.all([readPage(state, ctx), findDatasets({ q: state.q, limit: FACET_ENTRIES }, ctx)]);
  const counted = all.next_cursor === null;
  const kept = Object.fromEntries((["topic", "publisher", "license"] as const).flatMap((name) => (state[name] ? [[name, state[name]]] : [])));
  return (
    <div className="page py-10">
      <h1 className="text-3xl">Datasets</h1>
      <div className="mt-5 max-w-2xl">
        <SearchForm q={state.q ?? ""} kept={kept} />
      </div>
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <section aria-labelledby="results" className="min-w-0 lg:order-2">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b pb-2.5">
            <h2 id="results" className="font-medium text-sm tracking-normal">
              <ResultCount total={page.total} state={state} />
            </h2>
            <div className="flex items-center gap-2">
              <SortLinks state={state} />
              <a href="#filters" className="rounded-md px-2.5 py-1 text-accent text-sm lg:hidden">
                Filters
              </a>
            </div>
          </div>
          <ActiveFilters state={state} labels={new Map(all.datasets.map((entry) => [entry.publisher.slug, entry.publisher.name]))} />
          <Results page={page} state={state} now={ctx.now()} />
        </section>
        <aside
          id="filters"
          aria-label="Filters"
          className="grid content-start gap-7 border-line border-t pt-6 sm:grid-cols-3 lg:order-1 lg:grid-cols-1 lg:border-t-0 lg:pt-0"
        >
          {FACETS.map((facet) => (
            <FacetList key={facet.name} {...facet} values={facetCounts(all.datasets, facet.name, state)} state={state} counted={counted} />
          ))}
        </aside>
      </div>
    </div>
  );
}

/** A cursor of another search, or one that an older server signed, starts the listing afresh. */
async function readPage(state: DirectoryState, ctx: ReturnType<typeof pageContext>): Promise<Catalogue> {
  const { sort, cursor, ...search } = state;
  try {
    return await findDatasets({ ...search, sort: readSort(sort), cursor }, ctx);
  } catch (error) {
    if (error instanceof Failure && error.code === "invalid_cursor") redirect(directoryUrl({ ...state, cursor: undefined }));
    throw error;
  }
}

function ResultCount({ total, state }: { total: number; state: DirectoryState }) {
  return (
    <>
      {formatPlural(total, "dataset")}
      {state.q && <> for “{state.q}”</>}
    </>
  );
}

function Results({ page, state, now }: { page: Catalogue; state: DirectoryState; now: Date }) {
  if (page.datasets.length === 0) return <EmptyResults state={state} />;
  return (
    <>
      <ul className="divide-y divide-line border-line border-b">
        {page.datasets.map((entry) => (
          <li key={entry.slug}>
            <DatasetCard entry={entry} now={now} q={state.q ?? ""} level="h3" />
          </li>
        ))}
      </ul>
      {(page.next_cursor || state.cursor) && (
        <nav aria-label="Pages" className="mt-6 flex flex-wrap items-center gap-3">
          {state.cursor && (
            <Link className="button" href={directoryUrl({ ...state, cursor: undefined })}>
              First page
            </Link>
          )}
          {page.next_cursor && (
            <Link className="button" rel="next" href={directoryUrl({ ...state, cursor: page.next_cursor })}>
              Next {formatCount(page.datasets.length)}
            </Link>
          )}
        </nav>
      )}
    </>
  );
}
