import { expect, test, vi } from "vitest";
import { database } from "@/lib/store/database";
import { useTestState } from "@/lib/testing/database";
import { isReady, partStates, startedAt } from "./check-readiness";

useTestState();

test("every component is reported separately, and ready means all of them", async () => {
  const states = await partStates();
  expect(states.map(({ part, isUp }) => [part, isUp])).toEqual([
    ["database", true],
    ["counters", true],
    ["engine", true],
  ]);
  expect(states.map(({ since }) => since)).toEqual([startedAt(), startedAt(), startedAt()]);
  expect(await isReady()).toBe(true);
});

test("readiness is checked once a second, however often it is requested", async () => {
  const { pool } = await database();
  const queries = vi.spyOn(pool, "query");
  const now = Date.now() + 60_000;
  await Promise.all(Array.from({ length: 50 }, () => isReady(now)));
  await isReady(now + 999);
  const asked = queries.mock.calls.length;
  await isReady(now + 1_000);
  expect(asked).toBeGreaterThan(0);
  expect(queries.mock.calls.length).toBe(2 * asked);
  queries.mockRestore();
});
