import type { StoredColumn } from "@/lib/schemas/column";
import { indexedWords } from "@/lib/schemas/search-words";
import { database } from "@/lib/store/postgres/database";
import { WHOLE_WORD, WORD_PREFIX } from "./postings";
import type { PublicCatalogue } from "./public-catalogue";
import type { Reading, SearchTerm } from "./search-terms";

/** Keeps a dataset with thousands of columns from slowing a search down. */
const COLUMNS_READ = 300;
const COLUMNS_SHOWN_MAX = 6;

const COLUMNS = `SELECT t."datasetId" AS id, v.columns FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId"
  WHERE t."datasetId" = ANY ($1::uuid[]) ORDER BY t.position, t.slug`;

/** By dataset id, the names of columns whose name or description contains the words; matches in the name first. */
export async function findMatchedColumns(
  ids: readonly string[],
  terms: readonly SearchTerm[],
  { matchedColumns: cached }: PublicCatalogue,
): Promise<Map<string, readonly string[]>> {
  const readings = terms.flatMap((term) => term.readings);
  const searched = JSON.stringify(readings);
  const missing = ids.filter((id) => cached.find(id + searched) === undefined);
  const read = missing.length > 0 && readings.length > 0 ? await readMatched(missing, readings) : new Map();
  for (const id of missing) cached.store(id + searched, read.get(id) ?? []);
  return new Map(
    ids.flatMap((id) => {
      const names = cached.find(id + searched) ?? [];
      return names.length > 0 ? [[id, names] as const] : [];
    }),
  );
}

async function readMatched(ids: readonly string[], readings: readonly Reading[]): Promise<Map<string, string[]>> {
  const { pool } = await database();
  const { rows: tables } = await pool.query<{ id: string; columns: StoredColumn[] }>(COLUMNS, [ids]);
  const columns = [...Map.groupBy(tables, ({ id }) => id)].flatMap(([id, own]) => columnsOf(id, own));
  const { rows } = await pool.query<{ id: string; names: string[] }>(
    `WITH readings AS (
       SELECT CASE kind WHEN 'prefix' THEN ${WORD_PREFIX} ELSE ${WHOLE_WORD} END AS query, quality FROM
         unnest($1::text[], $2::text[], $3::int[]) AS r(word, kind, quality)
     ), columns AS (
       SELECT id, name, at, to_tsvector('english', called) || to_tsvector('simple', called) AS called,
         to_tsvector('english', meant) || to_tsvector('simple', meant) AS meant
       FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY AS c(id, name, called, meant, at)
     ), hits AS (
       SELECT c.id, c.name, min(at) AS at, max(CASE WHEN c.called @@ r.query THEN quality * 10 ELSE quality END) AS
         score
       FROM columns c JOIN readings r ON c.called @@ r.query OR c.meant @@ r.query GROUP BY 1, 2
     )
     SELECT id, (array_agg(name ORDER BY score DESC, at))[1:${COLUMNS_SHOWN_MAX}] AS names FROM hits GROUP BY id`,
    [
      readings.map(({ word }) => word),
      readings.map(({ kind }) => kind),
      readings.map(({ quality }) => quality),
      columns.map(({ id }) => id),
      columns.map(({ name }) => name),
      columns.map(({ called }) => called),
      columns.map(({ meant }) => meant),
    ],
  );
  return new Map(rows.map(({ id, names }) => [id, names]));
}

function columnsOf(id: string, tables: readonly { columns: readonly StoredColumn[] }[]) {
  const columns = tables.flatMap((table) => table.columns);
  return columns.slice(0, COLUMNS_READ).map(({ name, description, unit }) => ({
    ...{ id, name },
    called: indexedWords(name).join(" "),
    meant: indexedWords(`${description ?? ""} ${unit ?? ""}`).join(" "),
  }));
}
