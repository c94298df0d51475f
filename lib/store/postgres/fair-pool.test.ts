import { expect, test } from "vitest";
import { asCaller, inOwnTurn } from "@/lib/kernel/caller";
import { useTestState } from "@/lib/testing/database";
import { withLocks } from "./advisory-lock";
import { database } from "./database";

useTestState();

const MANY = 60;

/** The order in which statements of callers, all requested in this order, are done. */
async function orderOf(requests: readonly (readonly [name: string, run: <T>(work: () => T) => T])[]) {
  const { pool } = await database();
  const done: string[] = [];
  const each = requests.map(([name, run]) =>
    run(async () => {
      await pool.query("SELECT pg_sleep(0.02)");
      done.push(name);
    }),
  );
  await Promise.all(each);
  return done;
}

const as =
  (subject: string) =>
  <T>(work: () => T): T =>
    asCaller(subject, work);
const many = Array.from({ length: MANY }, () => ["a", as("a")] as const);

test("a caller's statement does not wait for another's many", async () => {
  const done = await orderOf([...many, ["b", as("b")]]);
  expect(done.indexOf("b")).toBeLessThan(MANY / 2);
});

test("the service's own statements, and those of a caller in a turn of its own, wait for no caller", async () => {
  const inTurn = <T>(work: () => T): T => asCaller("a", () => inOwnTurn(work));
  const done = await orderOf([...many, ["service", (work) => work()], ["page", inTurn]]);
  expect(done.indexOf("service")).toBeLessThan(MANY / 2);
  expect(done.indexOf("page")).toBeLessThan(MANY / 2);
});

test("Prisma's transactions take turns too", async () => {
  const { prisma } = await database();
  const done: string[] = [];
  const transaction = (name: string) =>
    asCaller(name, () =>
      prisma.$transaction(async (own) => {
        await own.$executeRaw`SELECT pg_sleep(0.02)`;
        done.push(name);
      }),
    );
  await Promise.all([...Array.from({ length: MANY }, () => transaction("a")), transaction("b")]);
  expect(done.indexOf("b")).toBeLessThan(MANY / 2);
});

test("requests that hold a connection and need another to go on get it, however many there are", async () => {
  const { pool } = await database();
  const upload = (index: number) =>
    asCaller("a", () =>
      withLocks({ sql: "SELECT pg_advisory_lock(hashtextextended($1, 0))", values: [`turn ${index}`] }, () =>
        pool.query("SELECT pg_sleep(0.02)"),
      ),
    );
  await Promise.all(Array.from({ length: 30 }, (_, index) => upload(index)));
});

test("a connection that breaks returns its turn", async () => {
  const { pool } = await database();
  const breaking = () => asCaller("a", () => pool.query("SELECT pg_terminate_backend(pg_backend_pid())"));
  for (let round = 0; round < 3; round += 1) await Promise.allSettled(Array.from({ length: 10 }, () => breaking()));
  expect((await asCaller("a", () => pool.query("SELECT 1 AS one"))).rows).toEqual([{ one: 1 }]);
});
