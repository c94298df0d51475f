import { type CatalogueFilter, FACET_NAMES, type FacetName, type Matches, matchCatalogue } from "./catalogue-matching";
import type { PublicDataset } from "./public-catalogue";
import type { SearchTerm } from "./search-terms";
import type { SimilarWords } from "./similar-words";

export interface FacetCount {
  value: string;
  label: string;
  count: number;
}

/** With how the words were read, and which words of the catalogue are near others. */
export interface CountedFacets {
  total: number;
  facets: Record<FacetName, FacetCount[]>;
  terms: SearchTerm[];
  similar: SimilarWords;
}

const VALUES_MAX = 100;

/**
 * How many datasets each choice would leave alone: other facets' choices apply, the facet's own do not, so that its
 * alternatives remain visible.
 */
export async function countFacets(filter: CatalogueFilter, now: Date): Promise<CountedFacets> {
  const matches = await matchCatalogue(filter, now);
  const counts = FACET_NAMES.map(() => new Map<string, FacetCount>());
  let total = 0;
  for (const dataset of matchingDatasets(matches)) {
    const failing = matches.failing(dataset);
    if (failing === 0) total += 1;
    for (const [bit, facet] of FACET_NAMES.entries())
      if ((failing & ~(1 << bit)) === 0)
        for (const value of matches.valuesOf(dataset, facet)) add(counts[bit], value, dataset, facet);
  }
  const facets = FACET_NAMES.map((facet, bit) => [facet, mostFrequent(counts[bit])]);
  const { terms, catalogue } = matches;
  return { total, facets: Object.fromEntries(facets) as CountedFacets["facets"], terms, similar: catalogue.similar };
}

function* matchingDatasets({ found, catalogue }: Matches): Iterable<PublicDataset> {
  if (!found) yield* catalogue.datasets;
  else for (const place of found.places) yield catalogue.datasets[place] as PublicDataset;
}

function add(counts: Map<string, FacetCount> | undefined, value: string, dataset: PublicDataset, facet: FacetName) {
  const known = counts?.get(value);
  if (known) known.count += 1;
  else counts?.set(value, { value, label: facet === "publisher" ? dataset.publisherName : value, count: 1 });
}

const mostFrequent = (counts: ReadonlyMap<string, FacetCount> | undefined): FacetCount[] =>
  [...(counts?.values() ?? [])].sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1)).slice(0, VALUES_MAX);
