import { LRUCache } from "lru-cache";
import type pg from "pg";
import { database } from "@/lib/store/postgres/database";

/** One way in which a search word may occur in the catalogue. */
export interface Reading {
  word: string;
  kind: "whole" | "prefix" | "similar";
  /** 10 for the word itself, less for a possible correction of it. */
  quality: number;
}

/**
 * One search word with its readings, all of which occur in the datasets that are searched; no readings if the word is
 * not found. A compound is several terms, one for each of its parts.
 */
export interface SearchTerm {
  word: string;
  readings: Reading[];
  /**
   * The word, and it with the next one, where a dataset has them: what is a whole value of a column. "Canada goose" is
   * one of a table of birds, while a table of towns has a value for each of the words.
   */
  values?: readonly string[];
}

/** The parts of a dataset's texts. A set of parts is a number whose bits are these positions. */
export const PARTS = [
  ...(["title", "slug", "summary", "topics", "publisher", "license", "tables", "columns", "values"] as const),
  "description",
] as const;

/**
 * How a word is matched: whole (same stem, or exactly), as the beginning of words, or exactly. A correction is matched
 * whole, but not in all values of a table, where a similar word says nothing. A value is matched as a
 * whole, which reads the values of every table that has its words: ask for it only if these are few.
 */
export type WordKind = "whole" | "similar" | "prefix" | "literal" | "value";

/** The datasets that contain a word: their indexes in the catalogue, and the parts that contain it. */
export interface Posting {
  indexes: Uint32Array;
  parts: Uint16Array;
}

/** Whole words, as written or with the same stem. */
export const WHOLE_WORD = `plainto_tsquery('english', word) || plainto_tsquery('simple', word)`;
export const WORD_PREFIX = `to_tsquery('simple', quote_literal(word) || ':*')`;
const WORD_VERBATIM = `plainto_tsquery('simple', word)`;
const QUERY = `CASE kind WHEN 'prefix' THEN ${WORD_PREFIX} WHEN 'literal' THEN ${WORD_VERBATIM}
  WHEN 'value' THEN ${WORD_VERBATIM}
  ELSE ${WHOLE_WORD} END`;

interface Hits {
  at: number;
  hits: Buffer;
}

/** All parts, and all but the values of columns, in which any word can occur by chance. */
const ALL_PARTS = (1 << PARTS.length) - 1;
export const BESIDE_VALUES = ALL_PARTS & ~(1 << PARTS.indexOf("values"));

const BYTES_MAX = 32 * 1024 * 1024;
/** Memory of an entry in addition to its arrays. */
const ENTRY_BYTES = 400;
/** Bytes of a dataset in a reply: its id and its parts. */
const [ID_BYTES, HIT_BYTES] = [16, 18];

const PART_BITS = `CASE s.part ${PARTS.map((part, bit) => `WHEN '${part}' THEN ${1 << bit}`).join(" ")} END`;

/**
 * Datasets are returned as bytes, because a word may occur in each of a hundred thousand. All values of a table are
 * found by whole words only: a beginning would be found in half of them.
 */
const hitsOf = (condition: string) => `WITH r AS (
    SELECT at::int AS at, word, kind, ${QUERY} AS query
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(word, kind, at)
  )
  SELECT h.at, string_agg(uuid_send(h."datasetId") || int2send(h.parts), ''::bytea) AS hits FROM (
    SELECT at, "datasetId", bit_or(part)::int2 AS parts FROM (
      SELECT r.at, s."datasetId", ${PART_BITS} AS part FROM r JOIN "SearchText" s ON s.words @@ r.query
      WHERE r.kind <> 'value' AND ${condition}
      UNION ALL
      SELECT r.at, s."datasetId", ${1 << PARTS.indexOf("values")} FROM r JOIN "TableValues" s ON s.words @@ r.query
      JOIN "Table" t ON t.id = s."tableId" AND t."currentVersionId" = s."versionId"
      WHERE ${condition} AND (r.kind = 'whole' OR r.kind = 'value' AND EXISTS (SELECT FROM unnest(s.texts) AS text
        WHERE strpos(text, E'\\n ' || r.word || E' \\t') > 0
        OR strpos(text || E'\\n', E'\\n ' || r.word || E' \\n') > 0))
    ) found GROUP BY 1, 2
  ) h GROUP BY h.at`;
const HITS = hitsOf("TRUE");
const HITS_AMONG = hitsOf(`s."datasetId" = ANY ($3::uuid[])`);

/** Where words occur, read once per state of the catalogue; the least recently used are forgotten. */
export class Postings {
  readonly #cached = new LRUCache<string, Promise<Posting>>({ maxSize: BYTES_MAX, sizeCalculation: () => ENTRY_BYTES });

  /**
   * @param indexOf takes the 32 hex digits of a dataset's id; undefined for those that are left out.
   * @param among the ids of the only datasets that are read, if they are few.
   */
  constructor(
    private readonly indexOf: (hex: string) => number | undefined,
    private readonly among?: readonly string[],
  ) {}

  /** The postings, in the words' order. */
  async of(words: readonly string[], kind: WordKind): Promise<Posting[]> {
    const missing = [...new Set(words)].filter((word) => !this.#cached.has(keyOf(word, kind)));
    if (missing.length > 0) this.#read(missing, kind);
    return await Promise.all(words.map((word) => this.#cached.get(keyOf(word, kind)) ?? this.#again(word, kind)));
  }

  /** The words among these that occur, in any part or in one of the given set. */
  async known(words: readonly string[], kind: WordKind, parts = ALL_PARTS): Promise<Set<string>> {
    const postings = await this.of(words, kind);
    return new Set(words.filter((_, at) => postings[at]?.parts.some((found) => (found & parts) !== 0)));
  }

  /** Reads a posting that was evicted immediately, because others exceed the capacity. */
  #again(word: string, kind: WordKind): Promise<Posting> {
    return this.#readAll([word], kind).then(([posting = NOTHING]) => posting);
  }

  #read(words: readonly string[], kind: WordKind): void {
    const all = this.#readAll(words, kind);
    for (const [at, word] of words.entries()) {
      const key = keyOf(word, kind);
      const one = all.then((postings) => postings[at] ?? NOTHING);
      this.#cached.set(key, one);
      one.then(
        ({ indexes }) =>
          void (this.#cached.peek(key) === one && this.#cached.set(key, one, { size: sizeOf(indexes.length) })),
        () => void (this.#cached.peek(key) === one && this.#cached.delete(key)),
      );
    }
  }

  async #readAll(words: readonly string[], kind: WordKind): Promise<Posting[]> {
    const { rows } = await withIndexes((client) =>
      this.among
        ? client.query<Hits>(HITS_AMONG, [words, words.map(() => kind), this.among])
        : client.query<Hits>(HITS, [words, words.map(() => kind)]),
    );
    const postings = words.map(() => NOTHING);
    for (const { at, hits } of rows) postings[at - 1] = this.#decode(hits);
    return postings;
  }

  #decode(hits: Buffer): Posting {
    const count = hits.length / HIT_BYTES;
    const [indexes, parts] = [new Uint32Array(count), new Uint16Array(count)];
    let found = 0;
    for (let at = 0; at < hits.length; at += HIT_BYTES) {
      const index = this.indexOf(hits.toString("hex", at, at + ID_BYTES));
      if (index === undefined) continue;
      indexes[found] = index;
      parts[found] = hits.readUInt16BE(at + ID_BYTES);
      found += 1;
    }
    return found === count ? { indexes, parts } : { indexes: indexes.slice(0, found), parts: parts.slice(0, found) };
  }
}

const NOTHING: Posting = { indexes: new Uint32Array(0), parts: new Uint16Array(0) };

const keyOf = (word: string, kind: WordKind): string => `${kind}\n${word}`;
const sizeOf = (datasets: number): number => ENTRY_BYTES + datasets * 6;

/**
 * One read-only transaction. The planner overestimates the frequency of a word and would otherwise scan text after
 * text, expecting to find it soon.
 */
export async function withIndexes<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const { pool } = await database();
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY; SET LOCAL enable_seqscan = off");
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    client.release(true); // together with its transaction: a connection in an unknown state is useless
    throw error;
  }
}
