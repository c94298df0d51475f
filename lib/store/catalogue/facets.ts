import { type CatalogueFilter, FACET_NAMES, type FacetName, matchCatalogue } from "./catalogue-matching";
import type { CodedFacet } from "./coded-facet";
import type { PublicCatalogue } from "./public-catalogue";
import type { SearchTerm } from "./search-terms";
import type { SimilarWords } from "./similar-words";

export interface FacetCount {
  value: string;
  label: string;
  count: number;
}

/** The counts, with the readings of the words and nearby words in the catalogue. */
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
  const coded = FACET_NAMES.map((name) => matches.facetOf(name));
  const counts = coded.map(({ values }) => new Uint32Array(values.length));
  let total = 0;
  for (const index of matches.found?.indexes ?? matches.catalogue.datasets.keys()) {
    const failing = matches.failing(index);
    if (failing === 0) total += 1;
    for (const [at, facet] of coded.entries())
      if ((failing & ~(1 << at)) === 0) facet.count(index, counts[at] as Uint32Array);
  }
  const facets = FACET_NAMES.map((name, at) => [name, mostFrequent(name, coded[at], counts[at], matches.catalogue)]);
  const { terms, catalogue } = matches;
  return { total, facets: Object.fromEntries(facets) as CountedFacets["facets"], terms, similar: catalogue.similar };
}

const ALPHABETICALLY = new Intl.Collator("en");

function mostFrequent(
  name: FacetName,
  coded: CodedFacet | undefined,
  counts: Uint32Array | undefined,
  { publisherNames }: PublicCatalogue,
): FacetCount[] {
  const labelOf = (value: string) => (name === "publisher" ? (publisherNames.get(value) ?? value) : value);
  const all = (coded?.values ?? []).map((value, code) => ({
    value,
    label: labelOf(value),
    count: counts?.[code] ?? 0,
  }));
  return all
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || ALPHABETICALLY.compare(a.label, b.label) || (a.value < b.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}
