import { database } from "@/lib/store/postgres/database";
import { variantsOf } from "./word-variants";

const PART_MIN = 3;
/** The most likely divisions of a word that are looked up. */
const COMPOUNDS_MAX = 6;

/** Neighbouring words written as one ("earth quake" → "earthquake"), each with the position of its first word. */
export const joinedPairs = (words: readonly string[]): ReadonlyMap<string, number> =>
  new Map(words.slice(1).map((word, at) => [`${words[at]}${word}`, at]));

const KNOWN = `SELECT word FROM "SearchWord" WHERE word = ANY ($1)`;

/**
 * The ways to divide a word into two that catalogues use, or that mean one of theirs, those of even length first.
 * Between them may be an "s", as in German. Any dataset may have the words: callers check whether the reader may know
 * of them.
 */
export async function compoundsOf(word: string): Promise<string[][]> {
  const signs = [...word];
  const divisions = signs.flatMap((_, at) => {
    if (at < PART_MIN || signs.length - at < PART_MIN) return [];
    const [head, tail] = [signs.slice(0, at).join(""), signs.slice(at).join("")];
    const linked = head.endsWith("s") && at > PART_MIN ? [[head.slice(0, -1), tail]] : [];
    return [[head, tail], ...linked];
  });
  if (divisions.length === 0) return [];
  const { pool } = await database();
  const { rows } = await pool.query<{ word: string }>(KNOWN, [[...new Set(divisions.flat())]]);
  const known = new Set(rows.map((row) => row.word));
  const isKnown = (part: string) => known.has(part) || Object.values(variantsOf(part)).flat().length > 0;
  const shortest = (parts: readonly string[]) => Math.min(...parts.map((part) => part.length));
  return divisions
    .filter((parts) => parts.every(isKnown))
    .sort((a, b) => shortest(b) - shortest(a))
    .slice(0, COMPOUNDS_MAX);
}
