import { normalizeText } from "@/lib/kernel/normalize-text";

/** Longer ones are cut: PostgreSQL's lexemes have at most 2,046 bytes. */
const WORD_MAX = 64;
const WORDS_MAX = 8;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const LATIN_MARKS = /[\u0300-\u036f]/g;

/**
 * Lower case, without accents, compatibility forms unified (CO₂ is co2): texts and search words must be folded alike.
 */
export const foldText = (text: string): string =>
  normalizeText(text, "NFKD").replace(LATIN_MARKS, "").normalize("NFC").toLowerCase();

/** The words of a search text in order, folded: letters and digits of any script. */
export const wordsOf = (text: string): string[] =>
  (foldText(text).match(WORD) ?? []).map((word) => [...word].slice(0, WORD_MAX).join(""));

/** The words that a string is found by: its own, and the parts of camelCase names. */
export function indexedWords(text: string): string[] {
  const parted = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return parted === text ? wordsOf(text) : [...wordsOf(text), ...wordsOf(parted)];
}

/** The words of a search text, each once, at most eight; undefined if there is no text. */
export function searchWords(q: string | undefined): string[] | undefined {
  return q?.trim() ? [...new Set(wordsOf(q))].slice(0, WORDS_MAX) : undefined;
}
