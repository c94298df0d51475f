import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { Catalogue } from "@/lib/schemas/dataset";
import { searchWords, wordsOf } from "@/lib/schemas/search-words";
import { countFacets, type FacetCount } from "@/lib/store/catalogue/facets";

type Wanted = readonly string[] | undefined;

interface SearchRequest {
  q?: string | undefined;
  topic?: Wanted;
  publisher?: Wanted;
  license?: Wanted;
}

const FACETS = ["topic", "publisher", "license"] as const;
const NEAR_MAX = 5;
const TOPICS_SHOWN = 10;
const WORDS_READ = 8;

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(", ");

/**
 * What a search says besides its results: which words none of them has, or if there are none, what comes nearest. It
 * never says that data is missing while anything matches in part.
 */
export async function adviceFor(found: Catalogue, request: SearchRequest, now: Date): Promise<{ advice?: string }> {
  if (found.total === 0) return { advice: await adviceOnNothing(found, request, now) };
  const [first, ...more] = found.datasets.map(({ missing_words = [] }) => missing_words);
  const missing = (first ?? []).filter((word) => more.every((words) => words.includes(word)));
  return missing.length === 0 ? {} : { advice: `None of these has ${quoted(missing)}; they match the other words.` };
}

async function adviceOnNothing({ nearest: near = [] }: Catalogue, request: SearchRequest, now: Date): Promise<string> {
  if (near.length > 0)
    return (
      "No dataset matches all the words. Listed are the nearest: what they match, where, and which words they lack. " +
      "See whether one fits, and try other words, before you say that the data is missing."
    );
  const { facets } = await countFacets({ words: undefined }, now);
  const choices = FACETS.flatMap((name) => nearest(facets[name], request, name).map((value) => `${name} = ${value}`));
  const topics = facets.topic.slice(0, TOPICS_SHOWN).map(({ value, count }) => `${value} (${count})`);
  const isFiltered = request.q !== undefined && FACETS.some((name) => request[name] !== undefined);
  const { total } = isFiltered ? await countFacets({ words: searchWords(request.q) }, now) : { total: 0 };
  return [
    "No dataset matches.",
    ...(total > 0 ? [`Without the filters: ${total}.`] : []),
    ...(choices.length > 0 ? [`Nearest choices: ${choices.slice(0, NEAR_MAX).join("; ")}.`] : []),
    ...(topics.length > 0 ? [`Topics: ${topics.join(", ")}.`] : []),
    "Try other or fewer words first; then say that you found none, and what you searched for.",
  ].join(" ");
}

/**
 * Choices with one of the search's words, approximately spelt; for a facet that was filtered by, the most similar
 * choice.
 */
function nearest(choices: readonly FacetCount[], request: SearchRequest, name: (typeof FACETS)[number]): string[] {
  const wanted = request[name];
  if (wanted !== undefined) {
    const values = choices.map(({ value }) => value);
    return wanted.flatMap((one) => {
      const meant = didYouMean(one, values);
      return meant === undefined || meant === one ? [] : [meant];
    });
  }
  const words = wordsOf(request.q ?? "").slice(0, WORDS_READ);
  return choices.flatMap(({ value, label }) => {
    const own = wordsOf(label);
    return words.some((word) => word.length > 3 && didYouMean(word, own) !== undefined) ? [value] : [];
  });
}
