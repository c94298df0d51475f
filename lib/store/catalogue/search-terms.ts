import { processCache } from "@/lib/kernel/cache";
import { database } from "@/lib/store/postgres/database";
import type { PublicCatalogue } from "./public-catalogue";
import type { Candidate } from "./similar-words";
import { variantsOf } from "./word-variants";

/** One way in which a search word may occur in the catalogue. */
export interface Reading {
  word: string;
  kind: "whole" | "prefix" | "similar";
  /** 10 for the word itself, less for a possible correction of it. */
  quality: number;
}

/** One search word with its readings, all of which occur in public datasets; no readings if the word is not found. */
export interface SearchTerm {
  word: string;
  readings: Reading[];
}

const SIMILAR_LENGTH_MIN = 3;

/** The readings of a search's words. Stop words ("the", "of") are left out unless there are no others. */
export async function readSearchTerms(
  words: readonly string[],
  { postings, similar }: PublicCatalogue,
): Promise<SearchTerm[]> {
  if (words.length === 0) return [];
  const stops = await stopWordsAmong(words);
  const rest = words.filter((word) => !stops.has(word));
  const significant = rest.length > 0 ? rest : words;
  const variants = new Map(significant.map((word) => [word, variantsOf(word)]));
  const [whole, prefix] = await Promise.all([
    postings.known([...new Set([...significant, ...[...variants.values()].flat()])], "whole"),
    postings.known(significant, "prefix"),
  ]);
  return await Promise.all(
    significant.map(async (word) => {
      const known = { word, whole: whole.has(word), prefix: prefix.has(word) };
      const others = (variants.get(word) ?? []).filter((other) => whole.has(other));
      const isUnknown = others.length === 0 && isMisspelt(known);
      return { word, readings: readingsOf(known, others, isUnknown ? await similar.to(word) : []) };
    }),
  );
}

interface Known {
  word: string;
  whole: boolean;
  prefix: boolean;
}

const isMisspelt = ({ word, whole, prefix }: Known): boolean =>
  !whole && (!prefix || word.length > SIMILAR_LENGTH_MIN) && word.length >= SIMILAR_LENGTH_MIN;

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
