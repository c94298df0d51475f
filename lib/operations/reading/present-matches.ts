import type { Catalogue } from "@/lib/schemas/dataset";
import type { CataloguePosition } from "@/lib/store/catalogue/catalogue";
import type { SearchTerm } from "@/lib/store/catalogue/postings";
import type { MatchDetails } from "@/lib/store/catalogue/public-catalogue";

type Entry = Catalogue["datasets"][number];
type MatchedWord = NonNullable<Entry["matched_words"]>[number];

export type Matches = Pick<Entry, "matched_on" | "matched_columns" | "matched_words" | "missing_words">;

const COLUMNS_MAX = 6;
const VALUES_MAX = 3;

/** Which words of a search a dataset has, and where. The parts of a compound are told of together. */
export function presentMatches(
  { matchedOn, matchedBy }: CataloguePosition,
  terms: readonly SearchTerm[],
  details: MatchDetails | undefined,
): Matches {
  const byWord = Map.groupBy(terms.keys(), (at) => terms[at]?.word ?? "");
  const found = [...byWord].map(([word, ats]): MatchedWord => {
    const hits = ats.map((at) => matchedBy[at] ?? { parts: [], words: [] });
    const columns = unique(ats.flatMap((at) => details?.columns?.byTerm[at] ?? [])).slice(0, COLUMNS_MAX);
    const values = details?.values.filter(({ term }) => ats.includes(term)).slice(0, VALUES_MAX) ?? [];
    return {
      ...{ word, found_as: unique(hits.flatMap(({ words }) => words)) },
      matched_on: unique(hits.flatMap(({ parts }) => parts)) as MatchedWord["matched_on"],
      ...(columns.length > 0 && { columns }),
      ...(values.length > 0 && { values: values.map(({ table, column, value }) => ({ table, column, value })) }),
    };
  });
  const missing = found.filter(({ matched_on }) => matched_on.length === 0).map(({ word }) => word);
  return {
    matched_on: matchedOn as Entry["matched_on"],
    ...(details?.columns && { matched_columns: [...details.columns.all] }),
    matched_words: found.filter(({ matched_on }) => matched_on.length > 0),
    ...(missing.length > 0 && { missing_words: missing }),
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
