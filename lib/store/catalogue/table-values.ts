import { wordsOf } from "@/lib/schemas/search-words";
import { database } from "@/lib/store/postgres/database";
import type { SearchTerm } from "./postings";
import { WHOLE_WORD } from "./postings";

/** A text column's distinct values. */
export interface ColumnValues {
  column: string;
  values: readonly string[];
}

/** A table whose current version's values have to be read. */
export interface UnreadTable {
  tableId: string;
  datasetId: string;
  versionId: string;
  digest: string;
  columns: unknown;
  profiles: unknown;
}

/** Bounds of a table's index. A column that does not fit is left out as a whole. A tsvector holds at most 1 MB. */
const TEXT_MAX = 1_000_000;
const WORD_BYTES_MAX = 400_000;

const UNREAD = `SELECT t.id AS "tableId", t."datasetId", v.id AS "versionId", v.digest, v.columns, v.profiles
  FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId" JOIN "Dataset" d ON d.id = t."datasetId"
  LEFT JOIN "TableValues" i ON i."tableId" = t.id
  WHERE d.visibility <> 'withdrawn' AND i."versionId" IS DISTINCT FROM v.id`;

/**
 * Some of the tables whose current version's values are not in the index, in any order; of one table or dataset if its
 * id is given.
 */
export async function listUnreadTables(limit: number, id?: string): Promise<UnreadTable[]> {
  const { pool } = await database();
  const text = `${UNREAD} AND ($2::uuid IS NULL OR $2::uuid IN (t.id, d.id)) ORDER BY random() LIMIT $1`;
  return (await pool.query<UnreadTable>(text, [limit, id ?? null])).rows;
}

const STORE = `INSERT INTO "TableValues" ("tableId", "datasetId", "versionId", columns, texts, words)
  SELECT t.id, t."datasetId", t."currentVersionId", $3::text[], $4::text[], coalesce((
      SELECT array_to_tsvector(array_agg(DISTINCT lexeme)) FROM unnest($5::text[]) AS word,
        unnest(tsvector_to_array(to_tsvector('english', word) || to_tsvector('simple', word))) AS lexeme), '')
  FROM "Table" t WHERE t.id = $1::uuid AND t."currentVersionId" = $2::uuid
  ON CONFLICT ("tableId") DO UPDATE SET "versionId" = excluded."versionId", columns = excluded.columns,
    texts = excluded.texts, words = excluded.words`;

/**
 * Writes the index of a table's current version; nothing if another one is current by now. Columns come in order of
 * importance.
 */
export async function storeTableValues(
  { tableId, versionId }: Pick<UnreadTable, "tableId" | "versionId">,
  columns: readonly ColumnValues[],
): Promise<void> {
  const kept: { column: string; text: string }[] = [];
  const words = new Set<string>();
  let [room, wordRoom] = [TEXT_MAX, WORD_BYTES_MAX];
  for (const { column, values } of columns) {
    const lines = values.map(lineOf);
    const text = `\n${lines.flatMap(({ line }) => line ?? []).join("\n")}`;
    const fresh = new Set(lines.flatMap((line) => line.words).filter((word) => !words.has(word)));
    const bytes = [...fresh].reduce((sum, word) => sum + Buffer.byteLength(word), 0);
    if (text.length > room || bytes > wordRoom) continue;
    [room, wordRoom] = [room - text.length, wordRoom - bytes];
    for (const word of fresh) words.add(word);
    kept.push({ column, text });
  }
  const { pool } = await database();
  const texts = kept.map(({ text }) => text);
  await pool.query(STORE, [tableId, versionId, kept.map(({ column }) => column), texts, [...words]]);
}

/** ` word word ⇥Value`: its words, by which it is found, and the value as written unless it is its only word. */
function lineOf(value: string): { line?: string; words: string[] } {
  const words = wordsOf(value);
  if (words.length === 0) return { words };
  const shown = value.replaceAll(/\s+/gu, " ").trim();
  return { line: ` ${words.join(" ")} ${shown === words[0] ? "" : `\t${shown}`}`, words };
}

/** A value that has a search word. */
export interface MatchedValue {
  /** The position of the word among the terms. */
  term: number;
  /** The table's slug. */
  table: string;
  column: string;
  value: string;
}

/** The longest line: a value of 100 characters twice, whose letters may each fold to several. */
const LINE_MAX = 2_500;
const FOUND_MAX = 2_000;

/** The first line of each column that has the word; if none has, one with a word that begins with it, as stems do. */
const FIND = `SELECT v."datasetId" AS id, r.term, t.slug AS "table", c.name AS "column",
    strpos(c.text, ' ' || r.word || ' ') > 0 AS whole,
    split_part(substr(c.text, coalesce(nullif(strpos(c.text, ' ' || r.word || ' '), 0), strpos(c.text, ' ' || r.word)),
      ${LINE_MAX}), E'\\n', 1) AS line
  FROM unnest($2::int[], $3::text[]) AS r(term, word) JOIN "TableValues" v ON v.words @@ (${WHOLE_WORD})
  JOIN "Table" t ON t.id = v."tableId" AND t."currentVersionId" = v."versionId"
  CROSS JOIN unnest(v.columns, v.texts) WITH ORDINALITY AS c(name, text, place)
  WHERE v."datasetId" = ANY ($1::uuid[]) AND strpos(c.text, ' ' || r.word) > 0
  ORDER BY r.term, t.position, t.slug, c.place LIMIT ${FOUND_MAX}`;

interface FoundLine extends Omit<MatchedValue, "value"> {
  id: string;
  whole: boolean;
  line: string;
}

/** By dataset, the values that have the terms' words: one of each column. */
export async function findMatchedValues(
  ids: readonly string[],
  terms: readonly SearchTerm[],
): Promise<Map<string, MatchedValue[]>> {
  const words = terms.flatMap(({ readings }, term) =>
    readings.filter(({ kind }) => kind === "whole").map(({ word }) => ({ term, word })),
  );
  if (ids.length === 0 || words.length === 0) return new Map();
  const { pool } = await database();
  const asked = [ids, words.map(({ term }) => term), words.map(({ word }) => word)];
  const { rows } = await pool.query<FoundLine>(FIND, asked);
  const exact = new Set(rows.filter(({ whole }) => whole).map(({ id, term }) => `${id} ${term}`));
  const shown = rows.filter(({ id, term, whole }) => whole || !exact.has(`${id} ${term}`));
  return Map.groupBy(
    shown.map(({ id, term, table, column, line }) => ({ id, term, table, column, value: shownValue(line) })),
    ({ id }) => id,
  );
}

const shownValue = (line: string): string => line.split("\t")[1] ?? line.trim();
