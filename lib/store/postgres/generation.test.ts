import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { withdrawVersion } from "@/lib/store/datasets/withdrawal";
import { insertKey, renameKey, revokeKey, touchKey } from "@/lib/store/people/keys";
import { countRequest } from "@/lib/store/usage/counters";
import { useTestState } from "@/lib/testing/database";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { newWorkspace } from "@/lib/testing/workspace";
import { database } from "./database";
import { generation, pagesGeneration } from "./generation";

useTestState();

let workspaceId: string;
let userId: string;
let keyId: string;
let tableId: string;

beforeAll(async () => {
  ({ workspaceId, userId } = await newWorkspace());
  const key = { kind: "use", hash: randomBytes(32), first4: "a", last4: "z", name: "k", expiresAt: null } as const;
  ({ id: keyId } = await insertKey({ ...key, workspaceId, userId }, ADMINISTRATOR));
  tableId = await publishTwoRows("kept");
});

/** Whether the generation differs after `change`. */
async function raises(change: () => Promise<unknown>, of = generation): Promise<boolean> {
  const before = await of();
  await change();
  return (await of()) !== before;
}

const pool = async () => (await database()).pool;
const sql = async (text: string, ...values: unknown[]) => (await pool()).query(text, values);

describe("a change renews the generation", () => {
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "another name of a key": () => renameKey({ id: keyId, workspaceId }, "other", ADMINISTRATOR),
    "a revoked key": () => revokeKey({ id: keyId }, ADMINISTRATOR),
    "a disabled user": () => sql(`UPDATE "User" SET "disabledAt" = now() WHERE id = $1`, userId),
    "another role": () => sql(`UPDATE "Membership" SET role = 'member' WHERE "userId" = $1`, userId),
    "a member who leaves": () => sql(`DELETE FROM "Membership" WHERE "userId" = $1`, userId),
    "a changed plan": () => sql(`UPDATE "Workspace" SET plan = 'paid' WHERE id = $1`, workspaceId),
    "another visibility": () => setVisibility("kept", { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR),
    "a new dataset": () => publishTwoRows("another"),
    "another name of a publisher": () => sql(`UPDATE "Publisher" SET name = 'Office'`),
    "a withdrawn version": async () => {
      const { rows } = await sql(`SELECT id FROM "Version" WHERE "tableId" = $1`, tableId);
      await withdrawVersion(rows[0].id, "wrong", ADMINISTRATOR);
    },
    "a deleted dataset": () => sql(`DELETE FROM "Dataset" WHERE slug = 'another'`),
    "rows that all go at once": () => sql(`TRUNCATE "SearchText"`),
  };
  for (const [name, change] of Object.entries(changes))
    test(name, async () => {
      expect(await raises(change)).toBe(true);
    });
});

describe("a sign-up, a key or a private dataset renews it, but not the generation of anybody's pages", () => {
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "a sign-up": () => newWorkspace(),
    "another name of a key": () => renameKey({ id: keyId, workspaceId }, "again", ADMINISTRATOR),
    "a changed plan": () => sql(`UPDATE "Workspace" SET plan = 'free'`),
    "a private dataset": () => sql(PRIVATE),
    "its title": () => sql(`UPDATE "Dataset" SET title = 'Mine' WHERE slug = 'private'`),
    "its freshness": () => sql(STANDING, "private"),
    "its end": () => sql(`DELETE FROM "Dataset" WHERE slug = 'private'`),
  };
  for (const [name, change] of Object.entries(changes))
    test(name, async () => {
      const pages = await pagesGeneration();
      expect(await raises(change)).toBe(true);
      expect(await pagesGeneration()).toBe(pages);
    });
});

describe("the generation of anybody's pages changes after", () => {
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "a private dataset is made public": () =>
      sql(`UPDATE "Dataset" d SET visibility = 'public', license = 'MIT', "publisherId" = p.id
        FROM "Publisher" p WHERE d.slug = 'private'`),
    "its freshness": () => sql(STANDING, "private"),
    "it is private again": () => sql(`UPDATE "Dataset" SET visibility = 'private' WHERE slug = 'private'`),
    "a workspace has another name": () => sql(`UPDATE "Workspace" SET name = 'Renamed'`),
    "a dataset is withdrawn": () =>
      setVisibility("seen", { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR),
    "a public one is deleted": () => sql(`DELETE FROM "Dataset" WHERE slug = 'seen'`),
  };
  beforeAll(async () => {
    await publishTwoRows("seen");
    await sql(PRIVATE);
  });
  for (const [name, change] of Object.entries(changes))
    test(name, async () => {
      expect(await raises(change, pagesGeneration)).toBe(true);
    });
});

describe("these do not renew it", () => {
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "in the use of a key": () => touchKey(keyId, new Date()),
    "in a request that is counted": () => {
      const window = { startAt: new Date(0), lengthMs: 60_000, limit: 10 };
      return countRequest("subject", { ...window, name: "m" }, { ...window, name: "d" });
    },
    "in a value that is written again": () => sql(`UPDATE "Dataset" SET title = title, summary = summary`),
    "in a transaction that is rolled back": async () => {
      const client = await (await pool()).connect();
      await client.query("BEGIN");
      await client.query(`UPDATE "Dataset" SET title = 'Other'`);
      await client.query("SET CONSTRAINTS ALL IMMEDIATE");
      await client.query("ROLLBACK");
      client.release();
    },
  };
  for (const [name, change] of Object.entries(changes))
    test(name, async () => {
      expect(await raises(change)).toBe(false);
    });
});

const PRIVATE = `INSERT INTO "Dataset" (id, slug, title, summary, description, topics, sources, visibility, "workspaceId")
  SELECT gen_random_uuid(), 'private', '', '', '', '{}', '[]', 'private', id FROM "Workspace" LIMIT 1`;
const STANDING = `INSERT INTO "Standing" ("datasetId", state, reason, since, tables, "computedAt", "checkAt")
  SELECT id, 'fresh', '', now(), '{}', now(), now() FROM "Dataset" WHERE slug = $1
  ON CONFLICT ("datasetId") DO UPDATE SET state = 'stale'`;
const TITLE = `SELECT (SELECT value FROM "Generation") AS value, d.title FROM "Dataset" d WHERE d.slug = 'kept'`;

test("one statement sees a change together with its generation, while others commit", async () => {
  const titles = Array.from({ length: 60 }, (_, index) => `Title ${index}`);
  let isOver = false;
  const seen: { value: string; title: string }[] = [];
  const watching = (async () => {
    while (!isOver) seen.push((await sql(TITLE)).rows[0]);
  })();
  for (const title of titles) await sql(`UPDATE "Dataset" SET title = $1 WHERE slug = 'kept'`, title);
  isOver = true;
  await watching;
  const titlesOf = Map.groupBy(seen, ({ value }) => value);
  expect(titlesOf.size).toBeGreaterThan(1);
  for (const same of titlesOf.values()) expect(new Set(same.map(({ title }) => title)).size).toBe(1);
});

test("transactions that change different rows wait for each other only at their commits", async () => {
  const clients = await Promise.all([1, 2].map(async () => (await pool()).connect()));
  const [first, second] = clients;
  for (const client of clients) await client.query("BEGIN");
  await first?.query(`UPDATE "Publisher" SET name = 'First'`);
  await second?.query(`UPDATE "Workspace" SET name = 'Second'`);
  // neither holds the generation's row yet, so each can still change what the other has not
  await first?.query(`UPDATE "Dataset" SET title = 'First'`);
  await second?.query(`UPDATE "User" SET "disabledAt" = NULL`);
  await Promise.all(clients.map((client) => client.query("COMMIT")));
  for (const client of clients) client.release();
  expect((await sql(`SELECT title FROM "Dataset" WHERE slug = 'kept'`)).rows).toEqual([{ title: "First" }]);
});

test("concurrent callers share statements that began after their calls", async () => {
  const early = generation();
  const waiting = generation();
  await sql(`UPDATE "Dataset" SET title = 'Between' WHERE slug = 'kept'`);
  const late = Array.from({ length: 100 }, () => generation());
  await Promise.all([early, waiting]);
  expect(new Set(await Promise.all(late))).toEqual(new Set([(await sql(TITLE)).rows[0].value]));
});

/**
 * For the tables that renew it: columns that remain as inserted, and those whose changes are not kept in memory. For a
 * run, that is most of them.
 */
const QUIET: Readonly<Record<string, readonly string[]>> = {
  AccessKey: ["id", "lastUsedAt", "datasetIds", "permissions"],
  Activation: ["id", "tableId", "datasetId", "activatedBy"],
  Build: ["datasetId", "createdById", "updatedAt"],
  Dataset: ["id"],
  Membership: ["provider", "createdAt"],
  Promotion: ["id", "tableId", "versionId"],
  Publisher: ["id"],
  RecipeRevision: ["id", "datasetId", "number", "basedOn", "origin", "note", "actor", "createdAt", "approvedById"],
  Release: ["id", "tableId", "versionId", "runId", "revisionId"],
  Schedule: [
    ...["datasetId", "upstreams", "uploads", "nextAt", "wakeAt", "wakeBy", "lastTickAt", "accountedAt", "pausedBy"],
    ...["pausedReason", "heldReason", "failuresInRow"],
  ],
  SearchText: ["datasetId", "part"],
  Standing: ["datasetId", "computedAt", "checkAt"],
  Table: ["id", "createdAt"],
  TableValues: ["tableId", "datasetId"],
  Upload: ["id", "workspaceId", "bytes", "fileName", "mediaType", "readAt", "actor"],
  User: ["id", "email", "emailVerified", "name", "image", "passwordHash", "createdAt"],
  Version: [
    ...["id", "tableId", "sequence", "digest", "bytes", "rows", "columns", "profiles", "orderBy", "primaryKey"],
    "change",
  ],
  Workspace: [...["id", "personal", "stripeCustomerId", "stripeSubscriptionId", "billedAt", "createdAt"]],
};

const SILENT = `SELECT c.relname::text AS table, array_agg(a.attname::text ORDER BY a.attname COLLATE "C") AS columns
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    AND NOT a.attisdropped AND NOT a.attnum = ANY(t.tgattr)
  WHERE t.tgname = c.relname || '_columns_raise' AND c.relname <> 'Run' GROUP BY c.relname`;

test("every column of a table that renews it does so, or is listed here as an exception", async () => {
  const { rows } = await sql(SILENT);
  const listed = Object.entries(QUIET).map(([table, columns]) => [table, columns.toSorted()]);
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, columns]))).toEqual(Object.fromEntries(listed));
});
