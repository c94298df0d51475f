import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { takeHostSlot } from "./source-hosts";

useTestState();

const noWait = async () => undefined;
const shortWait = () => setImmediate();
let a: string;
let b: string;
let c: string;

beforeEach(async () => {
  const of = async () => (await newWorkspace()).workspaceId;
  [a, b, c] = [await of(), await of(), await of()];
});

const take = (host: string, workspaceId = a, wait: (ms: number) => Promise<void> = noWait) =>
  takeHostSlot({ host, workspaceId }, wait);

/** Waits until this many requests wait for a turn at the host. */
async function untilWaiting(host: string, count: number): Promise<void> {
  const { prisma } = await database();
  await expect.poll(() => prisma.sourceRequest.count({ where: { host, startedAt: null } })).toBe(count);
}

test("a host has two places, and a third request waits until one of them is free", async () => {
  const held = [await take("a.example.org"), await take("a.example.org")];
  let waits = 0;
  const third = await take("a.example.org", a, async () => {
    waits += 1;
    if (waits === 2) await held.pop()?.();
  });
  expect(waits).toBeGreaterThanOrEqual(2);
  const other = await take("b.example.org");
  for (const leave of [third, other, ...held]) await leave();
});

test("starts at a host are a tenth of a second apart", async () => {
  const { pool } = await database();
  const { rows: before } = await pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  for (let nth = 0; nth < 12; nth += 1) await (await take("c.example.org"))();
  const { rows: after } = await pool.query<{ nextAt: Date }>(`SELECT "nextAt" FROM "SourceHost"`);
  const passedMs = Number(after.at(-1)?.nextAt) - Number(before[0]?.now);
  expect(passedMs).toBeGreaterThanOrEqual(1199); // stored in whole milliseconds
});

test("a cancelled wait leaks no place", async () => {
  const held = [await take("d.example.org"), await take("d.example.org")];
  const ended = take("d.example.org", a, () => Promise.reject(new Error("cancelled")));
  await expect(ended).rejects.toThrow("cancelled");
  await held.pop()?.();
  await (await take("d.example.org"))();
  await held.pop()?.();
});

test("workspaces take turns at a host, whoever waited first and however many requests each has", async () => {
  const host = "e.example.org";
  const held = [await take(host, a), await take(host, a)];
  const served: string[] = [];
  const leaves: (() => Promise<void>)[] = [];
  const wait = async (name: string, workspaceId: string) => {
    leaves.push(await take(host, workspaceId, shortWait));
    served.push(name);
  };
  const waiting: Promise<void>[] = [];
  for (const [name, workspaceId] of [
    ["a3", a],
    ["a4", a],
    ["b1", b],
    ["b2", b],
    ["c1", c],
  ] as const) {
    waiting.push(wait(name, workspaceId));
    await untilWaiting(host, waiting.length);
  }
  for (let nth = 1; nth <= 5; nth += 1) {
    await (held.shift() ?? leaves.shift())?.();
    await expect.poll(() => served.length, { timeout: 20_000 }).toBe(nth);
  }
  await Promise.all(waiting);
  for (const leave of leaves) await leave();
  // a has two places, then one, then none; b and c had none, then b was served before c
  expect(served).toEqual(["b1", "c1", "a3", "b2", "a4"]);
});

test("a process that was lost keeps neither a place nor its turn", async () => {
  const host = "f.example.org";
  const { prisma } = await database();
  const held = [await take(host), await take(host)];
  const requestedAt = new Date(0);
  const lost = { id: "00000000-0000-4000-8000-000000000000", host, workspaceId: b, requestedAt };
  await prisma.sourceRequest.create({ data: { ...lost, leaseUntil: new Date(Date.now() - 1) } });
  let waits = 0;
  const leave = await take(host, c, async () => {
    waits += 1;
    if (waits === 2)
      await prisma.sourceRequest.updateMany({ where: { workspaceId: a }, data: { leaseUntil: requestedAt } });
  });
  expect(waits).toBeGreaterThanOrEqual(2);
  for (const leaveOne of [leave, ...held]) await leaveOne();
});

test("waiting requests hold no connection to the database", async () => {
  const host = "g.example.org";
  const { pool } = await database();
  const held = [await take(host), await take(host)];
  const count = (pool.options.max ?? 10) + 5;
  const end = Promise.withResolvers<void>();
  const waiting = Promise.allSettled(Array.from({ length: count }, () => take(host, b, () => end.promise)));
  await untilWaiting(host, count);
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  end.reject(new Error("cancelled"));
  expect((await waiting).every(({ status }) => status === "rejected")).toBe(true);
  for (const leave of held) await leave();
});
