import type pg from "pg";
import { editDistance } from "@/lib/kernel/edit-distance";
import { database } from "./database";
import { variantsOf } from "./word-variants";

/** One way in which a search word may occur in the catalogue. */
interface Reading {
  word: string;
  kind: "whole" | "prefix" | "similar";
  /** 10 for the word itself, less for a possible correction of it. */
  quality: number;
}

/** One search word with its readings, all of which occur in public datasets; none if the word is not found. */
export interface SearchTerm {
  word: string;
  readings: Reading[];
}

interface Known {
  word: string;
  stops: boolean;
  whole: boolean;
  prefix: boolean;
}

const SIMILAR_LENGTH_MIN = 3;
const CANDIDATES_MAX = 8;
/**
 * Maximum number of catalogue words, the most similar ones, that are compared with a misspelt word letter by letter.
 */
export const COMPARED_MAX = 500;
/** Maximum number of nearest words that are looked up in public datasets. */
const LOOKED_UP_MAX = 250;
/** Shorter misspelt prefixes would match too much. */
const BEGINNING_MIN = 5;
/** OFFSET 0 keeps the planner from probing dataset by dataset, which it believes to be faster than the word index. */
const PUBLIC_HIT = (query: string) =>
  `EXISTS (SELECT FROM (SELECT "datasetId" FROM "SearchText" WHERE words @@ (${query}) OFFSET 0) s JOIN "Dataset" d ON
    d.id = s."datasetId"
     WHERE d.visibility = 'public' AND d."publishedAt" IS NOT NULL)`;
/** Whole words, as written or with the same stem. */
export const WHOLE_WORD = `plainto_tsquery('english', word) || plainto_tsquery('simple', word)`;
const WORD_AS_IT_STANDS = `plainto_tsquery('simple', word)`;
export const WORD_PREFIX = `to_tsquery('simple', quote_literal(word) || ':*')`;

/** How the words of a search are read. Stop words ("the", "of") are left out unless there are no others. */
export async function readSearchTerms(words: readonly string[]): Promise<SearchTerm[]> {
  if (words.length === 0) return [];
  return await withIndexes(async (client) => {
    const variants = new Map(words.map((word) => [word, variantsOf(word)]));
    const asked = [...new Set([...words, ...[...variants.values()].flat()])];
    const { rows: known } = await client.query<Known>(
      `SELECT word, numnode(plainto_tsquery('english', word)) = 0 AS stops, ${PUBLIC_HIT(WHOLE_WORD)} AS whole,
        ${PUBLIC_HIT(WORD_PREFIX)} AS prefix
       FROM unnest($1::text[]) WITH ORDINALITY AS asked(word, at) ORDER BY at`,
      [asked],
    );
    const found = new Map(known.map((entry) => [entry.word, entry]));
    const rows = words.flatMap((word) => found.get(word) ?? []);
    const telling = rows.some(({ stops }) => !stops) ? rows.filter(({ stops }) => !stops) : rows;
    const terms: SearchTerm[] = [];
    for (const entry of telling) {
      const others = (variants.get(entry.word) ?? []).filter((word) => found.get(word)?.whole);
      const isUnknown = others.length === 0 && isMisspelt(entry);
      const similar = isUnknown ? await similarTo(client, entry.word) : [];
      terms.push({ word: entry.word, readings: readingsOf(entry, others, similar) });
    }
    return terms;
  });
}

/**
 * One read-only transaction. The planner overestimates the frequency of a word and would read text after text expecting
 * to meet it soon.
 */
async function withIndexes<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const { pool } = await database();
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY");
    await client.query("SET LOCAL enable_seqscan = off");
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    client.release(true); // with its transaction: a connection in an unknown state is useless
    throw error;
  }
}

const isMisspelt = ({ word, whole, prefix }: Known): boolean =>
  !whole && (!prefix || word.length > SIMILAR_LENGTH_MIN) && word.length >= SIMILAR_LENGTH_MIN;

/** Another word for the same ranks just below the word itself. */
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

interface Candidate {
  word: string;
  distance: number;
}

/**
 * The catalogue words that a word may misspell, nearest first. Trigrams find them by the index, except those with two
 * letters swapped: a short word may share a single trigram with the right one.
 */
async function similarTo(client: pg.PoolClient, word: string): Promise<Candidate[]> {
  const reach = word.length < 8 ? 1 : 2;
  await client.query("SELECT set_config('pg_trgm.similarity_threshold', $1, true)", [word.length < 6 ? "0.1" : "0.25"]);
  const { rows } = await client.query<{ word: string }>(
    `SELECT word FROM "SearchWord" WHERE word = ANY($3)
     UNION (SELECT word FROM "SearchWord" WHERE word % $1 AND length(word) BETWEEN length($1) - $2 AND length($1) + $2
            ORDER BY similarity(word, $1) DESC, word LIMIT $4)`,
    [word, reach, swapsOf(word), COMPARED_MAX - word.length],
  );
  const near = rows
    .map((row) => ({ word: row.word, distance: editDistance(word, row.word, reach + 1) }))
    .filter(({ distance }) => distance <= reach);
  return await publicOnes(client, near.length > 0 || word.length < BEGINNING_MIN ? near : await begunBy(client, word));
}

/** A word with each two neighbouring letters swapped. */
function swapsOf(word: string): string[] {
  const signs = [...word];
  return signs.slice(1).map((sign, at) => [...signs.slice(0, at), sign, signs[at], ...signs.slice(at + 2)].join(""));
}

/** Words with a prefix that a word misspells by one letter, such as while it is being typed. */
async function begunBy(client: pg.PoolClient, word: string): Promise<Candidate[]> {
  await client.query("SELECT set_config('pg_trgm.word_similarity_threshold', '0.3', true)");
  const { rows } = await client.query<{ word: string }>(
    `SELECT word FROM "SearchWord" WHERE $1 <% word AND length(word) > length($1)
     ORDER BY word_similarity($1, word) DESC, word LIMIT $2`,
    [word, COMPARED_MAX],
  );
  const lengths = [word.length - 1, word.length, word.length + 1];
  const near = rows.filter((row) => lengths.some((length) => editDistance(word, row.word.slice(0, length), 2) === 1));
  return near.map((row) => ({ word: row.word, distance: 2 }));
}

/** Words of datasets that are not public are revealed to nobody. */
async function publicOnes(client: pg.PoolClient, candidates: readonly Candidate[]): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const nearest = candidates
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, LOOKED_UP_MAX);
  const { rows } = await client.query<{ word: string }>(
    `SELECT word FROM unnest($1::text[]) AS word WHERE ${PUBLIC_HIT(WORD_AS_IT_STANDS)}`,
    [nearest.map(({ word }) => word)],
  );
  const told = new Set(rows.map(({ word }) => word));
  return nearest.filter(({ word }) => told.has(word)).slice(0, CANDIDATES_MAX);
}

/** The word of the public catalogue most similar to one that is not found. */
export async function suggestWord(word: string): Promise<string | undefined> {
  return await withIndexes(async (client) => {
    const { rows } = await client.query<{ word: string }>(
      `SELECT word FROM "SearchWord" WHERE word % $1 ORDER BY similarity(word, $1) DESC, word LIMIT 20`,
      [word],
    );
    const [first] = await publicOnes(
      client,
      rows.map((row, distance) => ({ word: row.word, distance })),
    );
    return first?.word;
  });
}

const FORMS_MAX = 12;

/** By word, its forms (flight, flights) that occur in public datasets. */
export async function formsOf(words: readonly string[]): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  return await withIndexes(async (client) => {
    const { rows } = await client.query<{ asked: string; word: string }>(
      `SELECT asked, word FROM unnest($1::text[]) AS asked JOIN "SearchWord" ON stem = (ts_lexize('english_stem',
        asked))[1]
       WHERE ${PUBLIC_HIT(WORD_AS_IT_STANDS)} ORDER BY asked, word`,
      [words],
    );
    return new Map(
      words.map((asked) => [asked, rows.flatMap((row) => (row.asked === asked ? [row.word] : [])).slice(0, FORMS_MAX)]),
    );
  });
}
