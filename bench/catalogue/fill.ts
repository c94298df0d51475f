// Fills the empty database of PARQUETRY_DATA_DIR with as many generated datasets as its argument says.
import { createHash } from "node:crypto";
import type pg from "pg";
import { closeDatabase, database } from "@/lib/store/postgres/database";
import { say } from "../say";
import { type GeneratedDataset, generatedDataset, PUBLISHERS } from "./generated-datasets";

const BATCH = 500;
const YEAR_MS = 31_536_000_000;

const wanted = Number(process.argv[2]);
const { pool } = await database();
const { rows: before } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM "Dataset"`);
const there = before[0]?.n ?? 0;
if (there > 0 && there !== wanted) throw new Error(`The folder already holds ${there} datasets`);
if (there === 0) await fill(pool, wanted);
await closeDatabase();

/** Writes what publishing would, in few statements: the texts of each part of the search, and every word. */
async function fill(pool: pg.Pool, wanted: number): Promise<void> {
  await pool.query(
    `INSERT INTO "Publisher" (id, slug, name) SELECT gen_random_uuid(), 'publisher-' || i, 'Publisher ' || i
     FROM generate_series(0, $1) i`,
    [PUBLISHERS - 1],
  );
  for (let first = 0; first < wanted; first += BATCH) {
    const datasets = Array.from({ length: Math.min(BATCH, wanted - first) }, (_, at) => generatedDataset(first + at));
    await writeDatasets(pool, datasets, first);
    await writeWords(pool, datasets);
    if (first % 10_000 === 0) say(`catalogue: ${first} of ${wanted} datasets`);
  }
  await pool.query("ANALYZE");
}

async function writeDatasets(pool: pg.Pool, datasets: readonly GeneratedDataset[], first: number): Promise<void> {
  const now = Date.now();
  const rows = datasets.map(({ words: _, ...dataset }, at) => ({
    ...dataset,
    publisher: `publisher-${dataset.publisher}`,
    publishedAt: new Date(now - (((first + at) * 7_919) % 1_000) * (YEAR_MS / 1_000)).toISOString(),
    digest: createHash("sha256").update(dataset.id).digest("hex"),
  }));
  await pool.query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, "tableId" uuid, "versionId" uuid,
       slug text, title text, summary text, description text, publisher text, topics jsonb, license text, rows bigint,
       columns jsonb, "publishedAt" timestamptz, digest text)
     ), datasets AS (
       INSERT INTO "Dataset" (id, slug, title, summary, description, "publisherId", topics, license, sources, rows,
         "publishedAt")
       SELECT g.id, g.slug, g.title, g.summary, g.description, p.id, ARRAY(SELECT jsonb_array_elements_text(g.topics)),
         g.license, '[{"name": "Source", "url": "https://example.org/", "license": null}]', g.rows, g."publishedAt"
       FROM given g JOIN "Publisher" p ON p.slug = g.publisher
     ), tables AS (
       INSERT INTO "Table" (id, "datasetId", slug, name, description)
       SELECT "tableId", id, 'rows', 'Rows', summary FROM given
     )
     INSERT INTO "Version" (id, "tableId", sequence, digest, bytes, rows, columns, profiles, "orderBy", change,
       "publishedAt")
     SELECT "versionId", "tableId", 1, digest, rows * 20, rows, columns, '{}', '{}', 'first', "publishedAt" FROM given`,
    [JSON.stringify(rows)],
  );
  await pool.query(
    `UPDATE "Table" t SET "currentVersionId" = v.id FROM "Version" v WHERE v."tableId" = t.id AND t.id = ANY ($1)`,
    [datasets.map(({ tableId }) => tableId)],
  );
}

async function writeWords(pool: pg.Pool, datasets: readonly GeneratedDataset[]): Promise<void> {
  const parts = datasets.flatMap(({ id, words }) =>
    Object.entries(words).flatMap(([part, found]) => (found.length > 0 ? [{ id, part, text: found.join(" ") }] : [])),
  );
  await pool.query(
    `INSERT INTO "SearchText" ("datasetId", part, words)
     SELECT id, part::"SearchPart", to_tsvector('english', text) || to_tsvector('simple', text)
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS p(id, part, text)`,
    [parts.map(({ id }) => id), parts.map(({ part }) => part), parts.map(({ text }) => text)],
  );
  const learnt = [...new Set(datasets.flatMap(({ words }) => Object.values(words).flat()))];
  await pool.query(
    `INSERT INTO "SearchWord" (word, stem)
     SELECT word, stem FROM (SELECT word, (ts_lexize('english_stem', word))[1] AS stem
       FROM unnest($1::text[]) AS word) w
     WHERE stem IS NOT NULL AND length(word) > 2 AND word !~ '^[0-9]+$' ON CONFLICT DO NOTHING`,
    [learnt],
  );
}
