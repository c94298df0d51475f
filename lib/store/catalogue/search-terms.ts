import { processCache } from "@/lib/kernel/cache";
import { database } from "@/lib/store/postgres/database";
import { compoundsOf, joinedPairs } from "./compound-words";
import { BESIDE_VALUES, type Reading, type SearchTerm, type WordKind } from "./postings";
import type { LoadedCatalogue } from "./public-catalogue";
import type { Candidate } from "./similar-words";
import { isFiller, variantsOf } from "./word-variants";

type Catalogues = readonly LoadedCatalogue[];

const SIMILAR_LENGTH_MIN = 3;
/** A word of this length that only some value has may still be another one misspelt. */
const DOUBTED_LENGTH_MIN = 5;

/**
 * The readings of a search's words. Stop words ("the", "of") and those of other languages ("von", "les") are left out
 * unless there are no others.
 */
export async function readSearchTerms(words: readonly string[], catalogues: Catalogues): Promise<SearchTerm[]> {
  if (words.length === 0) return [];
  const stops = await stopWordsAmong(words);
  const rest = words.filter((word) => !stops.has(word) && !isFiller(word));
  const significant = rest.length > 0 ? rest : words;
  const variants = new Map(significant.map((word) => [word, variantsOf(word)]));
  const pairs = joinedPairs(significant);
  const others = [...variants.values()].flatMap(({ same, meant }) => [...same, ...meant]);
  const asked = [...new Set([...significant, ...others, ...pairs.keys()])];
  const [whole, certain, prefix] = await Promise.all([
    knownIn(catalogues, asked, "whole"),
    knownIn(catalogues, asked, "whole", BESIDE_VALUES),
    knownIn(catalogues, significant, "prefix"),
  ]);
  const terms = significant.map(async (word, at): Promise<SearchTerm[]> => {
    const joined = [...pairs].flatMap(([pair, first]) =>
      certain.has(pair) && (first === at || first === at - 1) ? [pair] : [],
    );
    const { same = [], meant = [] } = variants.get(word) ?? {};
    const all = [...same, ...(certain.has(word) ? [] : meant), ...joined]; // "land" is a country only in German
    const others = [...new Set(all)].filter((other) => whole.has(other));
    const known = { word, whole: whole.has(word), prefix: prefix.has(word) };
    if (others.length > 0 || !isDoubtful(known, certain)) return [{ word, readings: readingsOf(known, others, []) }];
    const itself = readingsOf(known, [], []);
    const parts = certain.has(word) ? [] : await partsOf(word, catalogues);
    if (parts.length > 0) return parts.map(({ readings }) => ({ word, readings: [...itself, ...readings] }));
    const similar = await similarIn(catalogues, word);
    return [{ word, readings: readingsOf(known, others, known.whole ? similar.slice(0, 1) : similar) }];
  });
  const values = new Map(significant.map((word, at) => [word, valuesOf(word, significant[at + 1], whole)]));
  return (await Promise.all(terms)).flat().map((term) => ({ ...term, ...values.get(term.word) }));
}

/** The values that a word may be: alone, and with the next word. */
function valuesOf(word: string, next: string | undefined, whole: ReadonlySet<string>): Pick<SearchTerm, "values"> {
  if (!whole.has(word)) return {};
  return { values: [word, ...(next !== undefined && whole.has(next) ? [`${word} ${next}`] : [])] };
}

/** The words that occur in any of the catalogues, in any part or in one of the given set. */
async function knownIn(
  catalogues: Catalogues,
  words: readonly string[],
  kind: WordKind,
  parts?: number,
): Promise<ReadonlySet<string>> {
  const known = await Promise.all(catalogues.map(({ postings }) => postings.known(words, kind, parts)));
  return new Set(known.flatMap((some) => [...some]));
}

/** The words that a word may misspell, nearest first. */
async function similarIn(catalogues: Catalogues, word: string): Promise<Candidate[]> {
  const all = (await Promise.all(catalogues.map(({ similar }) => similar.to(word)))).flat();
  return [...new Map(all.map((candidate) => [candidate.word, candidate])).values()].sort(
    (a, b) => a.distance - b.distance,
  );
}

/** A compound's parts as one term each: "zipcode" is "zip" and "code", "Flugverspätungen" "flight" and "delay". */
async function partsOf(word: string, catalogues: Catalogues): Promise<SearchTerm[]> {
  const compounds = await compoundsOf(word);
  const meant = (part: string) => [part, ...Object.values(variantsOf(part)).flat()];
  const asked = [...new Set(compounds.flat().flatMap(meant))];
  const certain = await knownIn(catalogues, asked, "whole", BESIDE_VALUES);
  const known = (part: string) => meant(part).filter((one) => certain.has(one));
  const compound = compounds.find((parts) => parts.every((part) => known(part).length > 0)) ?? [];
  return compound.map((part) => ({ word, readings: known(part).map(variantReading) }));
}

interface Known {
  word: string;
  whole: boolean;
  prefix: boolean;
}

/** Whether a word may be a compound, or another one misspelt. */
const isDoubtful = ({ word, whole, prefix }: Known, certain: ReadonlySet<string>): boolean =>
  whole
    ? word.length >= DOUBTED_LENGTH_MIN && !certain.has(word) && !/\d/.test(word)
    : (!prefix || word.length > SIMILAR_LENGTH_MIN) && word.length >= SIMILAR_LENGTH_MIN;

/** A synonym ranks just below the word itself. */
const variantReading = (word: string): Reading => ({ word, kind: "whole", quality: 9 });

function readingsOf(
  { word, whole, prefix }: Known,
  variants: readonly string[],
  similar: readonly Candidate[],
): Reading[] {
  return [
    ...(whole ? [{ word, kind: "whole" as const, quality: 10 }] : []),
    ...variants.map(variantReading),
    ...(prefix ? [{ word, kind: "prefix" as const, quality: 7 }] : []),
    ...similar.map((candidate) => ({
      word: candidate.word,
      kind: "similar" as const,
      quality: candidate.distance === 1 ? 5 : 3,
    })),
  ];
}

const STOPS = `SELECT word, numnode(plainto_tsquery('english', word)) = 0 AS stops FROM unnest($1::text[]) AS word`;
const STOP_WORDS_CACHED_MAX = 2_000;
const cachedStopWords = () => processCache<boolean>("stop-words", { capacity: STOP_WORDS_CACHED_MAX });

/** The stop words of the dictionary, which never change. */
async function stopWordsAmong(words: readonly string[]): Promise<Set<string>> {
  const cached = cachedStopWords();
  const known = new Map(words.map((word) => [word, cached.find(word)]));
  const missing = words.filter((word) => known.get(word) === undefined);
  if (missing.length > 0) {
    const { pool } = await database();
    const { rows } = await pool.query<{ word: string; stops: boolean }>(STOPS, [missing]);
    for (const { word, stops } of rows) {
      known.set(word, stops);
      cached.store(word, stops);
    }
  }
  return new Set(words.filter((word) => known.get(word) === true));
}
