import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { isReady, partStates, startedAt } from "./check-readiness";

useTestState();

test("every part is told apart, up since the start, and ready means all of them", async () => {
  const states = await partStates();
  expect(states.map(({ part, isUp }) => [part, isUp])).toEqual([
    ["database", true],
    ["counters", true],
    ["engine", true],
  ]);
  expect(states.map(({ since }) => since)).toEqual([startedAt(), startedAt(), startedAt()]);
  expect(await isReady()).toBe(true);
});
