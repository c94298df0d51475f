import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { catalogueStamp, publicCatalogue } from "./public-catalogue";

useTestState();

const [datasetId, tableId, versionId] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  const { pool } = await database();
  await pool.query(
    `WITH p AS (INSERT INTO "Publisher" (id, slug, name) VALUES (gen_random_uuid(), 'tests', 'Tests') RETURNING id)
     INSERT INTO "Dataset" (id, slug, title, summary, description, "publisherId", topics, license, sources, "publishedAt")
     SELECT '${datasetId}', 'one', 'One', '', '', id, '{}', 'MIT', '[]', now() FROM p`,
  );
  await pool.query(
    `INSERT INTO "Table" (id, "datasetId", slug, name, description) VALUES ('${tableId}', '${datasetId}', 't', 'T', '')`,
  );
  await pool.query(
    `INSERT INTO "Version" (id, "tableId", sequence, digest, bytes, rows, columns, profiles, "orderBy", change)
     VALUES ('${versionId}', '${tableId}', 1, 'd', 1, 1, '[]', '{}', '{}', 'first')`,
  );
  await pool.query(
    `INSERT INTO "Standing" (state, reason, since, tables, "computedAt", "checkAt", "datasetId")
     VALUES ('fresh', '', now(), '{}', now(), now(), '${datasetId}')`,
  );
});

test.each([
  `UPDATE "Dataset" SET title = 'Two'`,
  `UPDATE "Dataset" SET visibility = 'withdrawn'`,
  `UPDATE "Publisher" SET name = 'Others'`,
  `UPDATE "Table" SET "currentVersionId" = '${versionId}'`,
  `UPDATE "Version" SET "withdrawnAt" = now()`,
  `INSERT INTO "SearchText" VALUES ('${datasetId}', 'title', to_tsvector('one'))`,
  `UPDATE "SearchText" SET words = to_tsvector('two')`,
  `DELETE FROM "SearchText"`,
  `UPDATE "Standing" SET state = 'stale'`,
  `DELETE FROM "Standing"`,
])("the catalogue's lists are not cached beyond %s", async (change) => {
  const before = await catalogueStamp();
  expect(await catalogueStamp()).toBe(before);
  const { pool } = await database();
  await pool.query(change);
  expect(await catalogueStamp()).not.toBe(before);
});

test("a check that changes no state leaves the catalogue unchanged", async () => {
  const { pool } = await database();
  await pool.query(
    `INSERT INTO "Standing" (state, reason, since, tables, "computedAt", "checkAt", "datasetId")
     VALUES ('fresh', '', now(), '{}', now(), now(), '${datasetId}')`,
  );
  const before = await catalogueStamp();
  await pool.query(`UPDATE "Standing" SET "checkAt" = now(), "computedAt" = now()`);
  expect(await catalogueStamp()).toBe(before);
});

test("a private dataset is added, changed and removed without the catalogue being read again", async () => {
  const { pool } = await database();
  const before = await catalogueStamp();
  await pool.query(
    `WITH w AS (INSERT INTO "Workspace" (id, name) VALUES (gen_random_uuid(), 'own') RETURNING id)
     INSERT INTO "Dataset" (id, slug, title, summary, description, topics, sources, visibility, "workspaceId")
     SELECT '${randomUUID()}', 'mine', 'Mine', '', '', '{}', '[]', 'private', id FROM w`,
  );
  for (const change of [
    `INSERT INTO "Table" (id, "datasetId", slug, name, description)
     SELECT gen_random_uuid(), id, 't', 'T', '' FROM "Dataset" WHERE slug = 'mine'`,
    `UPDATE "Table" SET name = 'U' WHERE "datasetId" = (SELECT id FROM "Dataset" WHERE slug = 'mine')`,
    `UPDATE "Dataset" SET title = 'Ours' WHERE slug = 'mine'`,
    `DELETE FROM "Dataset" WHERE slug = 'mine'`,
  ])
    await pool.query(change);
  expect(await catalogueStamp()).toBe(before);
});

test("requests after a change see it, even while others are reading the catalogue", async () => {
  const { pool } = await database();
  for (let turn = 0; turn < 20; turn += 1) {
    const title = `Turn ${turn}`;
    const meanwhile = Array.from({ length: 5 }, () => publicCatalogue(new Date()));
    await pool.query(`UPDATE "Dataset" SET title = $1, visibility = 'public'`, [title]);
    meanwhile.push(...Array.from({ length: 5 }, () => publicCatalogue(new Date())));
    const seen = (await Promise.all(meanwhile.slice(5))).map(({ datasets }) => datasets[0]?.sortTitle);
    expect(seen).toEqual(Array.from({ length: 5 }, () => title.toLowerCase()));
    await Promise.all(meanwhile);
  }
});
