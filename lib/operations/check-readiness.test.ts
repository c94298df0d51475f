import { expect, test, vi } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { hasStarted, notReadyBefore, partStates, recentStates, startedAt } from "./check-readiness";

useTestState();

test("every component is reported separately", async () => {
  // on a busy machine, a component may not answer the first question in time
  await expect
    .poll(async () => (await partStates()).map(({ part, isUp }) => [part, isUp]), { timeout: 60_000 })
    .toEqual([
      ["database", true],
      ["counters", true],
      ["engine", true],
    ]);
  for (const { since } of await partStates()) expect(since.getTime()).toBeGreaterThanOrEqual(startedAt().getTime());
});

test("the components are checked once a second, however often it is requested", async () => {
  const { pool } = await database();
  const queries = vi.spyOn(pool, "query");
  const now = Date.now() + 60_000;
  await Promise.all(Array.from({ length: 50 }, () => recentStates(now)));
  await recentStates(now + 999);
  const asked = queries.mock.calls.length;
  await recentStates(now + 1_000);
  expect(asked).toBeGreaterThan(0);
  expect(queries.mock.calls.length).toBe(2 * asked);
  queries.mockRestore();
});

test("an instance takes requests once its start is over, whatever its components report", async () => {
  const start = Promise.withResolvers<void>();
  notReadyBefore(start.promise);
  expect(hasStarted()).toBe(false);
  start.resolve();
  await start.promise;
  expect(hasStarted()).toBe(true);
});
