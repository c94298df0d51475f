import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { findTableVersion } from "@/lib/store/datasets/tables";
import { findKey, insertKey } from "@/lib/store/people/keys";
import { database } from "@/lib/store/postgres/database";
import { generation, isOutdated } from "@/lib/store/postgres/generation";
import { countRequest } from "@/lib/store/usage/counters";
import { useTestState } from "@/lib/testing/database";
import { propertyParameters } from "@/lib/testing/property";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { newWorkspace } from "@/lib/testing/workspace";
import { CACHED_STATEMENTS } from "./cached-facts";

useTestState();

const sql = async (text: string, ...values: unknown[]) => (await (await database()).pool.query(text, values)).rows;

const hashes = [randomBytes(32), randomBytes(32)];
const tables: string[] = [];
const people: { workspaceId: string; userId: string }[] = [];

beforeAll(async () => {
  for (const hash of hashes) {
    const { workspaceId, userId } = await newWorkspace();
    people.push({ workspaceId, userId });
    const key = { kind: "use", hash, first4: "a", last4: "z", name: "k", expiresAt: null } as const;
    await insertKey({ ...key, workspaceId, userId }, ADMINISTRATOR);
  }
  for (const slug of ["one", "two"]) tables.push(await publishTwoRows(slug));
});

const FOLDER = dirname(import.meta.dirname);
const written = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "caches/cached-facts.ts",
);
const caching = written.filter((path) => readFileSync(`${FOLDER}/${path}`, "utf8").includes("cachedStatement("));

/** Columns that remain as inserted, and a key's last use, which a key in memory tracks itself. */
const UNCHANGING: Readonly<Record<string, readonly string[]>> = {
  AccessKey: ["id", "lastUsedAt", "datasetIds", "permissions"],
  Dataset: ["id"],
  Table: ["id"],
  User: ["id"],
  Version: [
    ...["id", "tableId", "sequence", "digest", "bytes", "rows", "columns", "profiles", "orderBy", "primaryKey"],
    "change",
  ],
};

const RAISING = `SELECT c.relname::text AS table, array_agg(a.attname::text) AS columns FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(t.tgattr)
  WHERE t.tgname = c.relname || '_columns_raise' AND EXISTS (SELECT FROM pg_trigger r WHERE r.tgrelid = c.oid
    AND r.tgname = c.relname || '_rows_raise') GROUP BY c.relname`;

test("every column that a cached lookup reads renews the generation or never changes", async () => {
  for (const path of caching) await import(join(FOLDER, path));
  expect(caching.length).toBeGreaterThan(0);
  expect(CACHED_STATEMENTS.length).toBeGreaterThanOrEqual(caching.length);
  const raising = new Map((await sql(RAISING)).map(({ table, columns }) => [table, columns as string[]]));
  for (const { name, text } of CACHED_STATEMENTS) {
    // the database itself says which columns a view reads
    await sql(`CREATE VIEW kept AS ${text.replace(/\$\d+/g, "NULL")}`);
    const read = await sql(`SELECT table_name AS "table", column_name AS "column"
      FROM information_schema.view_column_usage WHERE view_name = 'kept' AND table_name <> 'Generation'`);
    await sql("DROP VIEW kept");
    expect(read.length, name).toBeGreaterThanOrEqual(5);
    const quiet = read.filter(
      ({ table, column }) => !raising.get(table)?.includes(column) && !UNCHANGING[table]?.includes(column),
    );
    expect(quiet, name).toEqual([]);
  }
});

const SECOND = `(SELECT id FROM "Version" WHERE "tableId" = $1 ORDER BY sequence DESC LIMIT 1)`;

/** Changes one of two keys or tables, by place. */
const CHANGES: readonly ((place: number) => Promise<unknown>)[] = [
  (place) => sql(`UPDATE "AccessKey" SET "revokedAt" = now() WHERE hash = $1`, hashes[place]),
  (place) => sql(`UPDATE "AccessKey" SET "revokedAt" = NULL WHERE hash = $1`, hashes[place]),
  (place) => sql(`UPDATE "AccessKey" SET "expiresAt" = '2030-01-01', name = 'n' WHERE hash = $1`, hashes[place]),
  (place) => sql(`UPDATE "AccessKey" SET "workspaceId" = $2 WHERE hash = $1`, hashes[place], people[0]?.workspaceId),
  (place) => sql(`UPDATE "User" SET "disabledAt" = now() WHERE id = $1`, people[place]?.userId),
  (place) => sql(`UPDATE "User" SET "disabledAt" = NULL WHERE id = $1`, people[place]?.userId),
  (place) => sql(`DELETE FROM "Membership" WHERE "userId" = $1`, people[place]?.userId),
  (place) =>
    sql(
      `INSERT INTO "Membership" ("userId", "workspaceId", role) VALUES ($1, $2, 'member') ON CONFLICT DO NOTHING`,
      people[place]?.userId,
      people[place]?.workspaceId,
    ),
  ...(["public", "private", "withdrawn"] as const).map(
    (visibility) => (place: number) =>
      sql(
        `UPDATE "Dataset" d SET visibility = $2::"Visibility", "workspaceId" = $3 FROM "Table" t
          WHERE t.id = $1 AND d.id = t."datasetId"`,
        ...[tables[place], visibility, people[place]?.workspaceId],
      ),
  ),
  (place) => sql(`UPDATE "Table" SET "currentVersionId" = NULL WHERE id = $1`, tables[place]),
  (place) => sql(`UPDATE "Table" SET "currentVersionId" = ${SECOND} WHERE id = $1`, tables[place]),
  (place) => sql(`UPDATE "Version" SET label = 'a' WHERE id = ${SECOND}`, tables[place]),
  async () => undefined,
];

/** The fields that decisions depend on: all except a key's last use. */
const decided = async (under: string | undefined) => ({
  keys: await Promise.all(
    hashes.map(async (hash) => {
      const key = await findKey(hash, under);
      return key && { ...key, lastUsedAt: null };
    }),
  ),
  tables: await Promise.all(
    tables.flatMap((id) =>
      [undefined, ...people].map((person) =>
        findTableVersion(id, { reader: person && { workspaceId: person.workspaceId }, under }),
      ),
    ),
  ),
});

test("facts from memory equal those in the database after every sequence of changes", async () => {
  const change = fc.record({ what: fc.nat(CHANGES.length - 1), place: fc.nat(1) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      for (const { what, place } of changes) {
        await CHANGES[what]?.(place);
        expect(await decided(await generation())).toEqual(await decided(undefined));
      }
    }),
    propertyParameters(25),
  );
});

describe("a fact in memory", () => {
  test("is the same object for all callers under one generation, and read again under another", async () => {
    await sql(`UPDATE "Dataset" SET visibility = 'public'`);
    await sql(`UPDATE "Table" t SET "currentVersionId" = v.id FROM "Version" v WHERE v."tableId" = t.id`);
    const [id = ""] = tables;
    const first = await findTableVersion(id, {});
    const under = await generation();
    expect(await findTableVersion(id, { under })).toBe(first);
    expect(await findTableVersion(id, { under: `${under.slice(0, -1)}x` })).not.toBe(first);
    expect(() => Object.assign(first?.columns[0] ?? {}, { name: "other" })).toThrow(/read only/);
  });

  test("counts nothing if it is out of date, and reports the current generation", async () => {
    const window = { startAt: new Date(0), lengthMs: 60_000, limit: 10 };
    const count = (under: string) => countRequest("counted", { ...window, name: "m" }, { ...window, name: "d" }, under);
    const under = await generation();
    expect(await count(under)).toEqual({ minute: 1, day: 1 });
    await sql(`UPDATE "Publisher" SET name = name || '.'`);
    const error = await count(under).catch((thrown: unknown) => thrown);
    const present = await generation();
    expect([isOutdated(error), (error as { generation?: string }).generation]).toEqual([true, present]);
    expect(await count(present)).toEqual({ minute: 2, day: 2 });
  });
});
