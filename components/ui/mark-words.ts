import { foldText, wordsOf } from "@/lib/schemas/search-words";

interface Part {
  text: string;
  marked: boolean;
}

/** What to mark: prefixes of words and full words, both case-folded. */
export interface Marks {
  beginnings: readonly string[];
  words: readonly string[];
}

/** The number of search words that are considered. */
const WORDS_MAX = 8;
/** Shorter beginnings would mark half the page. */
const BEGINNING_MIN = 2;

/** What to mark, according to how the search was understood. */
export function marksOf(readings: readonly { word: string; found: string; read_as: readonly string[] }[]): Marks {
  const begun = readings.flatMap(({ word, found, read_as }) => (found === "similar" ? read_as : [word]));
  return {
    beginnings: begun.filter((word) => word.length >= BEGINNING_MIN),
    words: readings.flatMap(({ read_as }) => read_as),
  };
}

/** The same for a search whose words match as prefixes. */
export const marksOfText = (q: string): Marks => ({
  beginnings: wordsOf(q)
    .slice(0, WORDS_MAX)
    .filter((word) => word.length >= BEGINNING_MIN),
  words: [],
});

/** Splits text into search matches and the rest, without losing a character. */
export function markWords(text: string, { beginnings, words }: Marks): Part[] {
  if (beginnings.length === 0 && words.length === 0) return [{ text, marked: false }];
  const parts: Part[] = [];
  for (const [at, piece] of text.split(/([\p{L}\p{N}\p{M}]+)/u).entries()) {
    const marked = at % 2 === 1 ? markedLength(piece, beginnings, words) : 0;
    if (marked > 0) parts.push({ text: piece.slice(0, marked), marked: true });
    if (marked < piece.length) parts.push({ text: piece.slice(marked), marked: false });
  }
  return parts;
}

/** How many letters of a word to mark, from its start. */
function markedLength(word: string, beginnings: readonly string[], words: readonly string[]): number {
  const folded = foldText(word);
  if (words.includes(folded)) return word.length;
  const longest = Math.max(
    0,
    ...beginnings.filter((beginning) => folded.startsWith(beginning)).map((beginning) => beginning.length),
  );
  return longest > 0 && folded.length !== word.length ? word.length : longest;
}
