import { join } from "node:path";
import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { database } from "./database";
import { databaseFailure, isDatabaseFull } from "./database-failure";
import { migrate } from "./migrate";

const state = useTestState();

test("a migrated database applies nothing again", async () => {
  expect(await migrate(state.databaseUrl(), join(process.cwd(), "prisma", "migrations"))).toEqual([]);
});

test("two migrations at once both succeed", async () => {
  const folder = join(process.cwd(), "prisma", "migrations");
  await Promise.all([migrate(state.databaseUrl(), folder), migrate(state.databaseUrl(), folder)]);
});

test("a full database disk is reported as such, whichever client the statement came from", async () => {
  const { pool, prisma } = await database();
  const full = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file: no room' USING ERRCODE = 'disk_full'; END $$";
  const words = { code: "unavailable", message: expect.stringContaining("The disk of the service is full") };
  for (const failed of [pool.query(full), prisma.$executeRawUnsafe(full)]) {
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(databaseFailure(error)).toMatchObject(words);
  }
  const other = await pool.query("SELECT 1 / 0").catch((thrown: unknown) => thrown);
  expect([isDatabaseFull(other), databaseFailure(other)]).toEqual([false, undefined]);
});

test("a transaction that gets no connection in time is reported as a temporary outage", async () => {
  const { pool, prisma } = await database();
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const error = await prisma.$transaction(async () => undefined, { maxWait: 1 }).catch((thrown: unknown) => thrown);
  for (const client of held) client.release();
  expect(databaseFailure(error)).toMatchObject({ status: 503, retryAfterSeconds: 5 });
});

test("a sealed version cannot be changed, only withdrawn", async () => {
  const { prisma } = await database();
  const dataset = await prisma.dataset.create({
    data: {
      slug: "d",
      title: "D",
      summary: "",
      description: "",
      license: "CC0-1.0",
      sources: [],
      publisher: { create: { slug: "p", name: "P" } },
      tables: { create: { slug: "t", name: "T", description: "" } },
    },
    include: { tables: true },
  });
  const tableId = dataset.tables[0]?.id ?? "";
  const version = await prisma.version.create({
    data: {
      tableId,
      sequence: 1,
      digest: "0".repeat(64),
      bytes: 1n,
      rows: 1n,
      columns: [],
      profiles: {},
      orderBy: [],
      change: "first",
    },
  });
  await expect(prisma.version.update({ where: { id: version.id }, data: { rows: 2n } })).rejects.toThrow(/immutable/);
  await prisma.version.update({ where: { id: version.id }, data: { withdrawnAt: new Date() } });
});
