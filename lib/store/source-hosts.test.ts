import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { database } from "./database";
import { takeHostPlace } from "./source-hosts";

useTestState();

const noWait = async () => undefined;

test("a host has two places, and a third request waits until one of them is free", async () => {
  const held = [await takeHostPlace("a.example.org", noWait), await takeHostPlace("a.example.org", noWait)];
  let waits = 0;
  const third = await takeHostPlace("a.example.org", async () => {
    waits += 1;
    if (waits === 2) await held.pop()?.();
  });
  expect(waits).toBeGreaterThanOrEqual(2);
  const other = await takeHostPlace("b.example.org", noWait);
  for (const leave of [third, other, ...held]) await leave();
});

test("starts at a host are a tenth of a second apart", async () => {
  const { pool } = await database();
  const { rows: before } = await pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  for (let nth = 0; nth < 12; nth += 1) await (await takeHostPlace("c.example.org", noWait))();
  const { rows: after } = await pool.query<{ nextAt: Date }>(`SELECT "nextAt" FROM "SourceHost"`);
  const passedMs = Number(after.at(-1)?.nextAt) - Number(before[0]?.now);
  expect(passedMs).toBeGreaterThanOrEqual(1199); // stored in whole milliseconds
});

test("a cancelled wait leaks no place", async () => {
  const held = [await takeHostPlace("d.example.org", noWait), await takeHostPlace("d.example.org", noWait)];
  const ended = takeHostPlace("d.example.org", () => Promise.reject(new Error("cancelled")));
  await expect(ended).rejects.toThrow("cancelled");
  await held.pop()?.();
  await (await takeHostPlace("d.example.org", noWait))();
  await held.pop()?.();
});
