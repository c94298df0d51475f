import type pg from "pg";
import { Cache } from "@/lib/kernel/cache";
import { editDistance } from "@/lib/kernel/edit-distance";
import { type Postings, withIndexes } from "./postings";

/** A word of the catalogue that another one may misspell. */
export interface Candidate {
  word: string;
  distance: number;
}

/** Maximum number of the most similar catalogue words that are compared with a misspelt word letter by letter. */
export const COMPARED_MAX = 500;
const CANDIDATES_MAX = 8;
/** Maximum number of nearest words that are looked up in public datasets. */
const LOOKED_UP_MAX = 250;
/** How many of these are looked up at once. The nearest ones mostly suffice. */
const LOOKED_UP_AT_ONCE = 16;
/** Shorter misspelt prefixes would match too much. */
const BEGINNING_MIN = 5;
/** A word with one wrong letter in this many may be meant. */
const LETTERS_EACH = 4;
const SUGGESTED_MAX = 20;
const FORMS_MAX = 12;
const CACHED_MAX = 1_000;

const FORMS = `SELECT word FROM "SearchWord" WHERE stem = (ts_lexize('english_stem', $1))[1] ORDER BY word`;

/**
 * Words of the public catalogue that are similar to another one. Results are cached as long as the postings are valid.
 */
export class SimilarWords {
  readonly #candidates = new Cache<Candidate[]>({ capacity: CACHED_MAX });
  readonly #suggestions = new Cache<string | undefined>({ capacity: CACHED_MAX });
  readonly #forms = new Cache<string[]>({ capacity: CACHED_MAX });

  constructor(private readonly postings: Postings) {}

  /** The catalogue words that a word may misspell, nearest first. */
  to(word: string): Promise<Candidate[]> {
    return this.#candidates.get(word, async () => {
      const near = await withIndexes(async (client) => {
        const compared = await similarTo(client, word);
        return compared.length > 0 || word.length < BEGINNING_MIN ? compared : await begunBy(client, word);
      });
      return await this.#publicOnes(near);
    });
  }

  /** The word most similar to one that is not found: at most one letter in four differs. */
  suggestion(word: string): Promise<string | undefined> {
    return this.#suggestions.get(word, async () => {
      const { rows } = await withIndexes((client) =>
        client.query<{ word: string }>(
          `SELECT word FROM "SearchWord" WHERE word % $1 ORDER BY similarity(word, $1) DESC, word LIMIT $2`,
          [word, SUGGESTED_MAX],
        ),
      );
      const reach = Math.ceil(word.length / LETTERS_EACH);
      const near = rows
        .map((row) => ({ word: row.word, distance: editDistance(word, row.word, reach + 1) }))
        .filter(({ distance }) => distance <= reach);
      return (await this.#publicOnes(near))[0]?.word;
    });
  }

  /** The forms of a word (flight, flights) that occur. */
  forms(word: string): Promise<string[]> {
    return this.#forms.get(word, async () => {
      const { rows } = await withIndexes((client) => client.query<{ word: string }>(FORMS, [word]));
      const words = rows.map((row) => row.word);
      const known = await this.postings.known(words, "literal");
      return words.filter((each) => known.has(each)).slice(0, FORMS_MAX);
    });
  }

  /** Words that occur only in datasets that are not public are never revealed. */
  async #publicOnes(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const nearest = candidates
      .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
      .slice(0, LOOKED_UP_MAX);
    const visible: Candidate[] = [];
    for (let first = 0; first < nearest.length && visible.length < CANDIDATES_MAX; first += LOOKED_UP_AT_ONCE) {
      const some = nearest.slice(first, first + LOOKED_UP_AT_ONCE);
      const known = await this.postings.known(
        some.map(({ word }) => word),
        "literal",
      );
      visible.push(...some.filter(({ word }) => known.has(word)));
    }
    return visible.slice(0, CANDIDATES_MAX);
  }
}

/**
 * Trigrams find similar words through the index, except those with two letters swapped: a short word may share only a
 * single trigram with the right one.
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
  return rows
    .map((row) => ({ word: row.word, distance: editDistance(word, row.word, reach + 1) }))
    .filter(({ distance }) => distance <= reach);
}

/** A word with each pair of neighbouring letters swapped. */
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
