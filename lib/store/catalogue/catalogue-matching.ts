import { type ScoredWord, type Scores, scoresOf } from "./catalogue-scores";
import { CodedFacet } from "./coded-facet";
import { type PublicCatalogue, type PublicDataset, publicCatalogue } from "./public-catalogue";
import { readSearchTerms, type SearchTerm } from "./search-terms";

export interface CatalogueFilter {
  /** Search words, folded. Undefined: no search. Empty: the search text contains no word, and nothing matches. */
  words: readonly string[] | undefined;
  /** For each facet, a dataset must have at least one of the values. */
  topic?: readonly string[] | undefined;
  /** The publishers' slugs. */
  publisher?: readonly string[] | undefined;
  license?: readonly string[] | undefined;
  freshness?: readonly string[] | undefined;
  size?: readonly string[] | undefined;
}

export const FACET_NAMES = ["topic", "publisher", "license", "freshness", "size"] as const;

export type FacetName = (typeof FACET_NAMES)[number];

/** The public datasets that match a search's words, before facets are applied. */
export interface Matches {
  catalogue: PublicCatalogue;
  terms: SearchTerm[];
  /** Undefined if nothing was searched for: all match. */
  found: Scores | undefined;
  facetOf(name: FacetName): CodedFacet;
  /** The facets whose choices exclude the dataset at an index, as a bit set by their position in FACET_NAMES. */
  failing(index: number): number;
}

/** The results of a search in the current catalogue. */
export async function matchCatalogue(filter: CatalogueFilter, now: Date): Promise<Matches> {
  const catalogue = await publicCatalogue(now);
  const terms = await readSearchTerms(filter.words ?? [], catalogue);
  const words = filter.words && (await Promise.all(terms.map((term) => scoredWord(term, catalogue))));
  const facetOf = (name: FacetName) => (name === "freshness" ? freshnessAt(catalogue, now) : catalogue.facets[name]);
  const choices = FACET_NAMES.flatMap((name, at) => {
    const wanted = filter[name];
    return wanted ? [{ bit: 1 << at, having: facetOf(name).having(wanted) }] : [];
  });
  return {
    ...{ catalogue, terms, facetOf },
    found: words && scoresOf(words, catalogue.datasets.length),
    failing: (index) => choices.reduce((failing, { bit, having }) => (having[index] ? failing : failing | bit), 0),
  };
}

async function scoredWord({ readings }: SearchTerm, { postings }: PublicCatalogue): Promise<ScoredWord> {
  const of = readings.map(async ({ word, kind, quality }) => {
    const [posting] = await postings.of([word], kind === "prefix" ? "prefix" : "whole");
    return posting ? [{ quality, posting }] : [];
  });
  return { readings: (await Promise.all(of)).flat() };
}

/** A verdict this overdue no longer counts, since no worker is checking; except for a source that is finished. */
const LATE_MS = 3_600_000;

/** Files that a publisher prepared have no source to read, so nothing is claimed about them. */
const stateOf = ({ state, checkAt }: PublicDataset, lateBefore: number): string =>
  state === null || (state !== "dormant" && (checkAt ?? 0) < lateBefore) ? "unknown" : state;

function freshnessAt({ datasets }: PublicCatalogue, now: Date): CodedFacet {
  const lateBefore = now.getTime() - LATE_MS;
  return new CodedFacet(datasets.length, (index) => stateOf(datasets[index] as PublicDataset, lateBefore));
}
