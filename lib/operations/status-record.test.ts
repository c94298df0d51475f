import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findHeartbeat, findOutages, restartHeartbeat } from "@/lib/store/outages";
import { useTestState } from "@/lib/testing/database";
import { historyOf, statusHistory } from "./status-history";
import { statusRecord } from "./status-record";

useTestState();

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.parse("2026-11-01T00:00:00Z");
const at = (minutes: number) => new Date(START + minutes * MINUTE);
const states = (...down: readonly string[]) =>
  (["database", "counters", "engine"] as const).map((part) => ({ part, isUp: !down.includes(part) }));
const told = async () =>
  (await findOutages(new Date(0))).map(({ part, startedAt, endedAt }) => [
    part,
    (startedAt.getTime() - START) / MINUTE,
    (endedAt.getTime() - START) / MINUTE,
  ]);

describe("the record of the service", () => {
  test("lists each outage once: of a part, of the database, of maintenance, and of the whole service", async () => {
    const record = statusRecord();
    expect(await statusHistory(at(0))).toBeUndefined();
    await record.round(at(0), states());
    await record.round(at(1), states("engine"));
    expect(await told()).toEqual([["engine", 1, 1]]);
    await record.round(at(2), states("engine"));
    await record.round(at(3), states());
    await record.round(at(4), states("database", "counters")); // nothing can be written
    expect(await told()).toEqual([["engine", 1, 3]]);
    await record.round(at(9), states());
    record.maintained(at(10));
    record.maintained(at(20));
    await record.round(at(21), states());
    const outages = [
      ["engine", 1, 3],
      ["counters", 4, 9],
      ["database", 4, 9],
      ["maintenance", 10, 21],
    ];
    expect(await told()).toEqual(outages);
    await statusRecord().round(at(22), states()); // another instance, or the same one restarted at once
    expect(await told()).toEqual(outages);
    await statusRecord().round(at(40), states()); // nothing ran for a while
    expect(await told()).toEqual([...outages, ["service", 22, 40]]);
    expect(await statusHistory(at(100))).toMatchObject({ since: at(0), upShare: 1 - 36 / 100 });
  });

  test("says nothing about the time before a restore, which it cannot know", async () => {
    await restartHeartbeat();
    const restored = (await findHeartbeat())?.at ?? new Date(0);
    expect(restored.getTime()).toBeGreaterThan(START);
    const before = await told();
    await statusRecord().round(new Date(restored.getTime() + MINUTE), states());
    expect(await told()).toEqual(before);
  });

  test("forgets outages that ended 90 days ago", async () => {
    const later = new Date((await findHeartbeat())?.at.getTime() ?? 0);
    await statusRecord().round(new Date(later.getTime() + 91 * DAY), states());
    expect((await told()).map(([part]) => part)).toEqual(["service"]);
  });
});

test("days and the share of time agree with counting minute by minute", () => {
  const minute = fc.integer({ min: 0, max: 3 * 1440 });
  const spans = fc.array(fc.tuple(minute, minute), { maxLength: 6 });
  fc.assert(
    fc.property(spans, (found) => {
      const outages = found.map(([a, b]) => ({
        part: "engine",
        startedAt: at(Math.min(a, b)),
        endedAt: at(Math.max(a, b)),
      }));
      const now = at(3 * 1440);
      const history = historyOf(at(0), outages, now);
      const isDown = (nth: number) =>
        outages.some(({ startedAt, endedAt }) => startedAt <= at(nth) && at(nth) < endedAt);
      const perDay = [0, 1, 2, 3].map(
        (day) => Array.from({ length: 1440 }, (_, nth) => isDown(day * 1440 + nth)).filter(Boolean).length * MINUTE,
      );
      expect(history.days.slice(-4).map(({ downMs }) => downMs)).toEqual(perDay);
      expect(history.days.at(-5)?.downMs).toBeNull();
      expect(history.upShare).toBeCloseTo(1 - perDay.reduce((sum, ms) => sum + ms, 0) / (3 * DAY), 12);
    }),
    { numRuns: 30 },
  );
});
