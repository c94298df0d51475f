import type { Reader } from "@/lib/store/datasets/readable";
import { type ScoredWord, type Scores, scoresOf } from "./catalogue-scores";
import { CodedFacet } from "./coded-facet";
import type { SearchTerm } from "./postings";
import { type CatalogueDataset, type LoadedCatalogue, ownCatalogue, publicCatalogue } from "./public-catalogue";
import { readSearchTerms } from "./search-terms";

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
  /** Whose private datasets are found too. */
  reader?: Reader | undefined;
}

export const FACET_NAMES = ["topic", "publisher", "license", "freshness", "size"] as const;

export type FacetName = (typeof FACET_NAMES)[number];

/** A catalogue that is searched, with the position of its first dataset among those of all. */
export interface SearchedCatalogue {
  catalogue: LoadedCatalogue;
  first: number;
  facetOf(name: FacetName): CodedFacet;
}

/** The datasets that match a search's words, before facets are applied: the public ones, then the workspace's own. */
export interface Matches {
  /** The public catalogue first. */
  searched: readonly [SearchedCatalogue, ...SearchedCatalogue[]];
  size: number;
  datasetAt(index: number): CatalogueDataset;
  terms: SearchTerm[];
  /** Where the words occur, in the order of `terms`. */
  words: readonly ScoredWord[];
  /** Undefined if nothing was searched for: all match. */
  found: Scores | undefined;
  /** The facets whose choices exclude the dataset at an index, as a bit set by their position in FACET_NAMES. */
  failing(index: number): number;
}

/** The results of a search in the current catalogue. */
export async function matchCatalogue(filter: CatalogueFilter, now: Date): Promise<Matches> {
  const [catalogue, own] = await Promise.all([publicCatalogue(now), filter.reader && ownCatalogue(filter.reader)]);
  const catalogues = own ? [catalogue, own] : [catalogue];
  const terms = await readSearchTerms(filter.words ?? [], catalogues);
  const first = { catalogue, first: 0, facetOf: facetsAt(catalogue, now) };
  const more = own ? [{ catalogue: own, first: catalogue.datasets.length, facetOf: facetsAt(own, now) }] : [];
  const searched = [first, ...more] as const;
  const size = catalogues.reduce((sum, { datasets }) => sum + datasets.length, 0);
  const words = await Promise.all(terms.map((term) => scoredWord(term, searched)));
  const choices = FACET_NAMES.flatMap((name, at) => {
    const wanted = filter[name];
    return wanted ? [{ bit: 1 << at, having: havingAmong(searched, size, name, wanted) }] : [];
  });
  return {
    ...{ searched, size, terms, words },
    datasetAt: (index) => {
      const { catalogue: of, first: start } = searched.findLast((one) => one.first <= index) ?? first;
      return of.datasets[index - start] as CatalogueDataset;
    },
    found: filter.words && scoresOf(words, size),
    failing: (index) => choices.reduce((failing, { bit, having }) => (having[index] ? failing : failing | bit), 0),
  };
}

function havingAmong(searched: Matches["searched"], size: number, name: FacetName, wanted: readonly string[]) {
  const having = new Uint8Array(size);
  for (const { first, facetOf } of searched) having.set(facetOf(name).having(wanted), first);
  return having;
}

/** Of a word that is a whole value, and of two; 10 is that of a word anywhere. */
const VALUE_QUALITIES = [12, 16] as const;
/** Whole values are looked for only if at most so many datasets have the word. */
const VALUES_READ_MAX = 50;

async function scoredWord(
  { word: itself, readings, values = [] }: SearchTerm,
  searched: Matches["searched"],
): Promise<ScoredWord> {
  const of = searched.map(async ({ catalogue: { postings }, first }) => {
    const [found] = await postings.of([itself], "whole");
    const isRead = found !== undefined && found.indexes.length <= VALUES_READ_MAX;
    const [whole, own] = await Promise.all([
      postings.of(isRead ? values : [], "value"),
      Promise.all(
        readings.map(async ({ word, kind, quality }) => ({ word, quality, of: await postings.of([word], kind) })),
      ),
    ]);
    return [
      ...whole.map((posting, at) => ({ word: itself, quality: VALUE_QUALITIES[at] ?? 10, posting, first })),
      ...own.flatMap(({ of: [posting], ...reading }) => (posting ? [{ ...reading, posting, first }] : [])),
    ];
  });
  return { readings: (await Promise.all(of)).flat() };
}

/** A verdict this overdue no longer counts, since no worker is checking; except for a source that is finished. */
const LATE_MS = 3_600_000;

/** Files that a publisher prepared have no source to read, so nothing is claimed about them. */
const stateOf = ({ state, checkAt }: CatalogueDataset, lateBefore: number): string =>
  state === null || (state !== "dormant" && (checkAt ?? 0) < lateBefore) ? "unknown" : state;

const facetsAt =
  ({ datasets, facets }: LoadedCatalogue, now: Date) =>
  (name: FacetName): CodedFacet => {
    if (name !== "freshness") return facets[name];
    const lateBefore = now.getTime() - LATE_MS;
    return new CodedFacet(datasets.length, (index) => stateOf(datasets[index] as CatalogueDataset, lateBefore));
  };
