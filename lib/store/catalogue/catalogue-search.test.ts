import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { findDatasetIds } from "./catalogue";
import type { SearchTerm } from "./postings";
import { publicCatalogue } from "./public-catalogue";
import { readSearchTerms } from "./search-terms";

useTestState();

const WORDS = ["rain", "rainfall", "rainy", "flight", "flights", "delays", "airport", "census", "the", "of", "river"];
const ASKED = [...WORDS, "rai", "fl", "flihgts", "delay", "rivr", "zzzz", "cen"];
const PARTS = ["title", "slug", "summary", "topics", "publisher", "license", "tables", "columns", "values"];
const ALL_PARTS = [...PARTS, "description"];
const DATASETS = 40;

const next = numbersFrom(7);
const pick = (from: readonly string[]): string => from[Math.floor(next() * from.length)] ?? "";

/** A fifth of them private, most with one word in few parts. */
beforeAll(async () => {
  const { pool } = await database();
  await pool.query(`INSERT INTO "Publisher" (id, slug, name) VALUES (gen_random_uuid(), 'tests', 'Tests')`);
  for (let number = 0; number < DATASETS; number += 1) {
    const id = randomUUID();
    await pool.query(
      `INSERT INTO "Dataset" (id, slug, title, summary, description, "publisherId", topics, license, sources, visibility,
         "publishedAt") SELECT $1, $2, $3, '', '', id, '{}', 'MIT', '[]', $4::"Visibility", now() FROM "Publisher"`,
      [id, `d${number}`, pick(WORDS), next() < 0.2 ? "private" : "public"],
    );
    for (const part of ALL_PARTS.filter(() => next() < 0.3))
      await pool.query(
        `INSERT INTO "SearchText" SELECT $1, $2::"SearchPart", to_tsvector('english', $3) || to_tsvector('simple', $3)`,
        [id, part, `${pick(WORDS)} ${pick(WORDS)}`],
      );
  }
  await pool.query(
    `INSERT INTO "SearchWord" SELECT word, stem FROM (SELECT word, (ts_lexize('english_stem', word))[1] AS stem
     FROM unnest($1::text[]) AS word) w WHERE stem IS NOT NULL`,
    [WORDS],
  );
});

/** The search results, computed by one statement that reads every text. */
const SLOWLY = `WITH readings AS (
  SELECT at, word, quality, CASE kind WHEN 'prefix' THEN to_tsquery('simple', quote_literal(word) || ':*')
    ELSE plainto_tsquery('english', word) || plainto_tsquery('simple', word) END AS query
  FROM unnest($1::int[], $2::text[], $3::text[], $4::int[]) AS r(at, word, kind, quality)
), hits AS (
  SELECT s."datasetId", r.at, s.part, max(r.quality * CASE s.part WHEN 'title' THEN 60 WHEN 'slug' THEN 40
    WHEN 'summary' THEN 25 WHEN 'topics' THEN 16 WHEN 'publisher' THEN 16 WHEN 'license' THEN 16 WHEN 'tables' THEN 10
    WHEN 'columns' THEN 9 WHEN 'values' THEN 7 WHEN 'description' THEN 5 END) AS score
  FROM readings r JOIN "SearchText" s ON s.words @@ r.query JOIN "Dataset" d ON d.id = s."datasetId"
  WHERE d.visibility = 'public' GROUP BY 1, 2, 3
), best AS (
  SELECT "datasetId", at, max(score) * 20 + sum(score) AS score,
    bool_or(part IN ('title', 'slug', 'summary', 'topics', 'tables')) AS telling
  FROM hits GROUP BY 1, 2
), asked AS (
  SELECT count(DISTINCT at) AS words, count(DISTINCT at) FILTER (WHERE word <> '') AS known FROM readings
), found AS (
  SELECT "datasetId", sum(score)::int AS score, count(*) AS words FROM best GROUP BY 1
  HAVING count(*) > 1 OR (SELECT words FROM asked) = 1 OR ((SELECT words FROM asked) = 2 AND bool_or(telling))
)
SELECT f."datasetId" AS id, f.score::text AS rank,
  ARRAY(SELECT DISTINCT h.part::text FROM hits h WHERE h."datasetId" = f."datasetId" ORDER BY 1) AS "matchedOn"
FROM found f WHERE f.words >= (SELECT CASE WHEN max(words) = (SELECT known FROM asked) THEN max(words)
  ELSE greatest(max(words) - 1, 1) END FROM found)
ORDER BY f.score DESC, id DESC`;

async function findSlowly(terms: readonly SearchTerm[]) {
  const nowhere = { word: "", kind: "whole", quality: 0 };
  const readings = terms.flatMap((term, at) =>
    (term.readings.length > 0 ? term.readings : [nowhere]).map((reading) => ({ at, ...reading })),
  );
  const { pool } = await database();
  const values = (["at", "word", "kind", "quality"] as const).map((name) => readings.map((reading) => reading[name]));
  return (await pool.query(SLOWLY, values)).rows;
}

test("for any query, the search finds and orders the same as reading every text", async () => {
  let found = 0;
  for (let turn = 0; turn < 150; turn += 1) {
    const words = [...new Set(Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(ASKED)))];
    const expected = await findSlowly(await readSearchTerms(words, [await publicCatalogue(new Date())]));
    const listing = { words, sort: "relevance", limit: 7 } as const;
    const positions = [];
    for (let after: { rank: string; id: string } | undefined; ; after = positions.at(-1)) {
      const page = await findDatasetIds({ ...listing, after }, new Date());
      expect([words, page.total]).toEqual([words, expected.length]);
      positions.push(...page.positions.map(({ id, rank, matchedOn }) => ({ id, rank, matchedOn })));
      if (page.positions.length < listing.limit) break;
    }
    expect([words, positions]).toEqual([words, expected]);
    found += expected.length;
  }
  expect(found).toBeGreaterThan(500);
});

test("pages in a catalogue order continue where the last one ended, even if its last dataset is gone", async () => {
  const { pool } = await database();
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM "Dataset" WHERE visibility = 'public' ORDER BY lower(title), id`,
  );
  const listing = { words: undefined, sort: "title", limit: 5 } as const;
  const first = await findDatasetIds(listing, new Date());
  const after = first.positions.at(-1);
  await pool.query(`UPDATE "Dataset" SET visibility = 'withdrawn' WHERE id = $1`, [after?.id]);
  const second = await findDatasetIds({ ...listing, after }, new Date());
  expect([...first.positions, ...second.positions].map(({ id }) => id)).toEqual(rows.slice(0, 10).map(({ id }) => id));
  expect([first.total, second.total]).toEqual([rows.length, rows.length - 1]);
});
