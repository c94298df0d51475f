import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { PrismaClient } from "@/prisma/generated/client";
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
  const thrown = [];
  for (const failed of [pool.query(full), prisma.$executeRawUnsafe(full)])
    thrown.push(await failed.catch((error: unknown) => error));
  for (const error of [...thrown, new AggregateError(thrown)]) expect(databaseFailure(error)).toMatchObject(words);
  const other = await pool.query("SELECT 1 / 0").catch((error: unknown) => error);
  for (const error of [other, new AggregateError([...thrown, other]), new AggregateError([])])
    expect([isDatabaseFull(error), databaseFailure(error)]).toEqual([false, undefined]);
});

test.each([
  ["whose socket is gone", "postgresql://parquetry@localhost/parquetry?host=%2Fno%2Fsuch%2Ffolder"],
  ["whose name is unknown while it is down", "postgresql://parquetry@nowhere.invalid/parquetry"],
  ["that refuses connections", "postgresql://parquetry@127.0.0.1:1/parquetry"],
])("a server %s is reported as a temporary outage, whichever client the statement came from", async (_, url) => {
  const pool = new pg.Pool({ connectionString: url });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const asked = [pool.query("SELECT 1"), prisma.user.count(), prisma.$transaction(async () => undefined)];
  const failures = (await Promise.allSettled(asked)).map((done) => done.status === "rejected" && done.reason);
  for (const error of failures) expect(databaseFailure(error)).toMatchObject({ status: 503, retryAfterSeconds: 5 });
  await prisma.$disconnect();
  await pool.end();
});

test("a transaction that gets no connection in time is reported as a temporary outage", async () => {
  const { pool, prisma } = await database();
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const error = await prisma.$transaction(async () => undefined, { maxWait: 1 }).catch((thrown: unknown) => thrown);
  for (const client of held) client.release();
  expect(databaseFailure(error)).toMatchObject({ status: 503, retryAfterSeconds: 5 });
});

test("no connection has two statements at once, whatever Prisma reads together in a transaction", async () => {
  const { prisma, pool } = await database();
  const running = new Map<unknown, number>();
  let most = 0;
  const send = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
    this: unknown,
    ...args: unknown[]
  ) {
    running.set(this, (running.get(this) ?? 0) + 1);
    most = Math.max(most, running.get(this) ?? 0);
    try {
      return (await Reflect.apply(send, this, args)) as never;
    } finally {
      running.set(this, (running.get(this) ?? 0) - 1);
    }
  } as typeof send);
  try {
    const include = { publisher: true, tables: { include: { versions: true, releases: true } }, build: true };
    await prisma.$transaction(async (transaction) => {
      const count = () => transaction.dataset.count();
      return Promise.all([transaction.dataset.findMany({ include }), count(), count(), count()]);
    });
    const client = await pool.connect();
    const answers = await Promise.allSettled(
      ["SELECT 1", "SELECT nothing", "SELECT 2"].map((sql) => client.query(sql)),
    );
    client.release();
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  } finally {
    spy.mockRestore();
  }
  expect(most).toBe(1);
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
