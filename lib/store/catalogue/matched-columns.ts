import type { StoredColumn } from "@/lib/schemas/column";
import { indexedWords } from "@/lib/schemas/search-words";
import { database } from "@/lib/store/postgres/database";
import type { SearchTerm } from "./postings";
import { WHOLE_WORD, WORD_PREFIX } from "./postings";

/** Keeps a dataset with thousands of columns from slowing a search down. */
const COLUMNS_READ = 300;
const COLUMNS_SHOWN_MAX = 6;

const COLUMNS = `SELECT t."datasetId" AS id, v.columns FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId"
  WHERE t."datasetId" = ANY ($1::uuid[]) ORDER BY t.position, t.slug`;

/** The names of a dataset's columns that have a search's words in their name (those come first) or description. */
export interface MatchedColumns {
  all: readonly string[];
  /** The names for each of the terms. */
  byTerm: readonly (readonly string[])[];
}

const MATCHED = `WITH readings AS (
    SELECT CASE kind WHEN 'prefix' THEN ${WORD_PREFIX} ELSE ${WHOLE_WORD} END AS query, quality, term FROM
      unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS r(word, kind, quality, term)
  ), columns AS (
    SELECT id, name, at, to_tsvector('english', called) || to_tsvector('simple', called) AS called,
      to_tsvector('english', meant) || to_tsvector('simple', meant) AS meant
    FROM unnest($5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS c(id, name, called, meant, at)
  )
  SELECT c.id, c.name, r.term, max(CASE WHEN c.called @@ r.query THEN quality * 10 ELSE quality END) AS score
  FROM columns c JOIN readings r ON c.called @@ r.query OR c.meant @@ r.query GROUP BY c.id, c.name, c.at, r.term
  ORDER BY score DESC, c.at`;

/** By dataset id, the columns that match. */
export async function findMatchedColumns(
  ids: readonly string[],
  terms: readonly SearchTerm[],
): Promise<Map<string, MatchedColumns>> {
  const readings = terms.flatMap((term, at) => term.readings.map((reading) => ({ ...reading, at })));
  if (ids.length === 0 || readings.length === 0) return new Map();
  const { pool } = await database();
  const { rows: tables } = await pool.query<{ id: string; columns: StoredColumn[] }>(COLUMNS, [ids]);
  const columns = [...Map.groupBy(tables, ({ id }) => id)].flatMap(([id, own]) => columnsOf(id, own));
  const { rows } = await pool.query<{ id: string; name: string; term: number }>(MATCHED, [
    readings.map(({ word }) => word),
    readings.map(({ kind }) => kind),
    readings.map(({ quality }) => quality),
    readings.map(({ at }) => at),
    columns.map(({ id }) => id),
    columns.map(({ name }) => name),
    columns.map(({ called }) => called),
    columns.map(({ meant }) => meant),
  ]);
  const names = (found: typeof rows) => [...new Set(found.map(({ name }) => name))].slice(0, COLUMNS_SHOWN_MAX);
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => [
      id,
      { all: names(own), byTerm: terms.map((_, at) => names(own.filter(({ term }) => term === at))) },
    ]),
  );
}

function columnsOf(id: string, tables: readonly { columns: readonly StoredColumn[] }[]) {
  const columns = tables.flatMap((table) => table.columns);
  return columns.slice(0, COLUMNS_READ).map(({ name, description, unit }) => ({
    ...{ id, name },
    called: indexedWords(name).join(" "),
    meant: indexedWords(`${description ?? ""} ${unit ?? ""}`).join(" "),
  }));
}
