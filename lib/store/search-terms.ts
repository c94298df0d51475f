import type pg from "pg";
import { database } from "./database";
import { editDistance } from "./edit-distance";

/** A way in which a word of a search may stand in the catalogue. */
interface Reading {
  word: string;
  kind: "whole" | "prefix" | "similar";
  /** 10 for the word itself, less for what it may have been meant to be. */
  quality: number;
}

/** One word of a search with the ways to read it, all of which public datasets have; none: the word is found nowhere. */
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
const PREFIX = `to_tsquery('simple', quote_literal(word) || ':*')`;
const PUBLIC_HIT = (query: string) =>
  `EXISTS (SELECT FROM "SearchText" s JOIN "Dataset" d ON d.id = s."datasetId" WHERE s.words @@ (${query}) AND d.visibility = 'public' AND d."publishedAt" IS NOT NULL)`;
/** Whole words, as they stand or of the same stem. */
export const WHOLE_WORD = `plainto_tsquery('english', word) || plainto_tsquery('simple', word)`;
export const WORD_PREFIX = PREFIX;

/** How the words of a search are to be read. Stop words ("the", "of") are left out unless there are no others. */
export async function readSearchTerms(words: readonly string[]): Promise<SearchTerm[]> {
  if (words.length === 0) return [];
  const { pool } = await database();
  const { rows } = await pool.query<Known>(
    `SELECT word, numnode(plainto_tsquery('english', word)) = 0 AS stops, ${PUBLIC_HIT(WHOLE_WORD)} AS whole, ${PUBLIC_HIT(PREFIX)} AS prefix
     FROM unnest($1::text[]) WITH ORDINALITY AS asked(word, at) ORDER BY at`,
    [words],
  );
  const telling = rows.some(({ stops }) => !stops) ? rows.filter(({ stops }) => !stops) : rows;
  const similar = await similarWords(
    pool,
    telling.filter(isMisspelt).map(({ word }) => word),
  );
  return telling.map((known) => ({ word: known.word, readings: readingsOf(known, similar.get(known.word) ?? []) }));
}

const isMisspelt = ({ word, whole, prefix }: Known): boolean => !whole && (!prefix || word.length > SIMILAR_LENGTH_MIN) && word.length >= SIMILAR_LENGTH_MIN;

function readingsOf({ word, whole, prefix }: Known, similar: readonly Candidate[]): Reading[] {
  return [
    ...(whole ? [{ word, kind: "whole" as const, quality: 10 }] : []),
    ...(prefix ? [{ word, kind: "prefix" as const, quality: 7 }] : []),
    ...similar.map((candidate) => ({ word: candidate.word, kind: "similar" as const, quality: candidate.distance === 1 ? 5 : 3 })),
  ];
}

interface Candidate {
  word: string;
  distance: number;
}

/** For each word those of the catalogue that it may be a misspelling of, nearest first. */
async function similarWords(pool: pg.Pool, words: readonly string[]): Promise<Map<string, Candidate[]>> {
  const found = new Map<string, Candidate[]>();
  if (words.length === 0) return found;
  const client = await pool.connect();
  try {
    for (const word of words) found.set(word, await similarTo(client, word));
  } finally {
    client.release();
  }
  return found;
}

/** Trigrams find candidates by the index; a short word that has two letters swapped shares but one with the right one. */
async function similarTo(client: pg.PoolClient, word: string): Promise<Candidate[]> {
  const reach = word.length < 8 ? 1 : 2;
  await client.query("BEGIN READ ONLY");
  try {
    await client.query("SELECT set_config('pg_trgm.similarity_threshold', $1, true)", [word.length < 6 ? "0.1" : "0.25"]);
    const { rows } = await client.query<{ word: string }>(
      `SELECT word FROM "SearchWord" WHERE word % $1 AND length(word) BETWEEN length($1) - $2::int AND length($1) + $2::int`,
      [word, reach],
    );
    const near = rows.map((row) => ({ word: row.word, distance: editDistance(word, row.word) })).filter(({ distance }) => distance <= reach);
    return await publicOnes(client, near);
  } finally {
    await client.query("COMMIT");
  }
}

/** Words of datasets that not everybody may read are told to nobody. */
async function publicOnes(client: pg.PoolClient, candidates: readonly Candidate[]): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const { rows } = await client.query<{ word: string }>(`SELECT word FROM unnest($1::text[]) AS word WHERE ${PUBLIC_HIT(WHOLE_WORD)}`, [
    candidates.map(({ word }) => word),
  ]);
  const told = new Set(rows.map(({ word }) => word));
  const shown = candidates.filter(({ word }) => told.has(word)).sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  return shown.slice(0, CANDIDATES_MAX);
}

/** The word of the public catalogue that is most like one that is not found. */
export async function suggestWord(word: string): Promise<string | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<{ word: string }>(
    `SELECT word FROM (SELECT word FROM "SearchWord" WHERE word % $1 ORDER BY similarity(word, $1) DESC, word LIMIT 20) w WHERE ${PUBLIC_HIT(WHOLE_WORD)} LIMIT 1`,
    [word],
  );
  return rows[0]?.word;
}
