import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { Catalogue } from "@/lib/schemas/dataset";
import { wordsOf } from "@/lib/schemas/search-words";
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

/** What a search that found nothing returns: the nearest choices in the catalogue, and its largest topics. */
export async function adviceFor(
  { total }: Pick<Catalogue, "total">,
  request: SearchRequest,
  now: Date,
): Promise<{ advice?: string }> {
  if (total > 0) return {};
  const { facets } = await countFacets({ words: undefined }, now);
  const near = FACETS.flatMap((name) => nearest(facets[name], request, name).map((value) => `${name} = ${value}`));
  const topics = facets.topic.slice(0, TOPICS_SHOWN).map(({ value, count }) => `${value} (${count})`);
  return {
    advice: [
      "No dataset matches.",
      ...(near.length > 0 ? [`Nearest choices: ${near.slice(0, NEAR_MAX).join("; ")}.`] : []),
      ...(topics.length > 0 ? [`Topics: ${topics.join(", ")}.`] : []),
      "If none fits, the catalogue does not have it: say so.",
    ].join(" "),
  };
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
