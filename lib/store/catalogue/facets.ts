import { type CatalogueFilter, FACET_NAMES, type FacetName, type Matches, matchCatalogue } from "./catalogue-matching";
import type { SearchTerm } from "./postings";
import type { SimilarWords } from "./similar-words";

export interface FacetCount {
  value: string;
  label: string;
  count: number;
}

/** The counts, with the readings of the words and nearby words in the catalogues. */
export interface CountedFacets {
  total: number;
  facets: Record<FacetName, FacetCount[]>;
  terms: SearchTerm[];
  /** Of each catalogue that was searched, the public one first. */
  similar: SimilarWords[];
}

const VALUES_MAX = 100;

/**
 * How many datasets each choice would leave alone: other facets' choices apply, the facet's own do not, so that its
 * alternatives remain visible.
 */
export async function countFacets(filter: CatalogueFilter, now: Date): Promise<CountedFacets> {
  const matches = await matchCatalogue(filter, now);
  const counted = matches.searched.map((one) => {
    const coded = FACET_NAMES.map((name) => one.facetOf(name));
    return { ...one, coded, counts: coded.map(({ values }) => new Uint32Array(values.length)) };
  });
  let total = 0;
  for (const index of matches.found?.indexes ?? Array(matches.size).keys()) {
    const failing = matches.failing(index);
    if (failing === 0) total += 1;
    const of = counted.length === 1 ? counted[0] : counted.findLast(({ first }) => first <= index);
    for (const [at, facet] of of?.coded.entries() ?? [])
      if ((failing & ~(1 << at)) === 0) facet.count(index - (of?.first ?? 0), of?.counts[at] as Uint32Array);
  }
  const facets = FACET_NAMES.map((name, at) => {
    const counts = new Map<string, number>();
    for (const { coded, counts: own } of counted)
      for (const [code, value] of coded[at]?.values.entries() ?? [])
        counts.set(value, (counts.get(value) ?? 0) + (own[at]?.[code] ?? 0));
    return [name, mostFrequent(name, counts, matches)];
  });
  const similar = matches.searched.map(({ catalogue }) => catalogue.similar);
  return { total, facets: Object.fromEntries(facets) as CountedFacets["facets"], terms: matches.terms, similar };
}

const ALPHABETICALLY = new Intl.Collator("en");

function mostFrequent(name: FacetName, counts: ReadonlyMap<string, number>, { searched }: Matches): FacetCount[] {
  const nameOf = (slug: string) =>
    searched.map(({ catalogue }) => catalogue.publisherNames.get(slug)).find((known) => known !== undefined) ?? slug;
  return [...counts]
    .map(([value, count]) => ({ value, label: name === "publisher" ? nameOf(value) : value, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || ALPHABETICALLY.compare(a.label, b.label) || (a.value < b.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}
