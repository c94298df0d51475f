import { describe, expect, test } from "vitest";
import { axisTop, barShare, barsPath, labelledDays, sumCounts } from "./usage-drawing";

const days = (from: string, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10));

test.each([
  [[], 2],
  [[0, 0], 2],
  [[1], 2],
  [[3], 4],
  [[5], 6],
  [[7, 9], 10],
  [[10], 20],
  [[61], 80],
  [[100], 200],
  [[4999], 6000],
  [[10_000_000], 20_000_000],
])("the axis over %j ends at %d: round, even, not below any count", (counts, top) => expect(axisTop(counts)).toBe(top));

describe("bars of days", () => {
  const bars = (path: string) =>
    [...path.matchAll(/M([\d.]+) 100v-([\d.]+)h([\d.]+)v/g)].map((match) => match.slice(1).map(Number));

  test("are in their day's column, in proportion to the axis", () => {
    expect(bars(barsPath([5, 0, 10], 10))).toEqual([
      [0.12, 50, 0.76],
      [2.12, 100, 0.76],
    ]);
  });

  test("a day with one query among millions is visible, a day without is empty", () => {
    expect(bars(barsPath([1, 0], 10_000_000))).toEqual([[0.12, 2, 0.76]]);
  });

  test("never leave the drawing", () => expect(bars(barsPath([30], 20))).toEqual([[0.12, 100, 0.76]]));
});

describe("the days named under a chart", () => {
  test("are the last and each week before it", () => {
    expect([...labelledDays(days("2026-10-22", 31))]).toEqual([
      "2026-10-24",
      "2026-10-31",
      "2026-11-07",
      "2026-11-14",
      "2026-11-21",
    ]);
  });

  test("are the firsts of months over a quarter, and the last", () => {
    expect([...labelledDays(days("2026-08-22", 92))]).toEqual(["2026-09-01", "2026-10-01", "2026-11-01", "2026-11-21"]);
  });

  test("leave out a first of a month that would run into the last day", () => {
    expect([...labelledDays(days("2026-08-05", 92))]).toEqual(["2026-09-01", "2026-10-01", "2026-11-04"]);
  });
});

test("shares of the longest bar: non-zero values are visible, none is longer", () => {
  expect([barShare(0, 10), barShare(1, 10_000), barShare(5, 10), barShare(10, 10), barShare(3, 0)]).toEqual([
    0, 1, 50, 100, 0,
  ]);
});

test("counts are summed field by field", () => {
  const day = { queries: 1, downloads: 2, rows: 3, bytes: 4 };
  expect(sumCounts([day, { ...day, day: "2026-11-21" } as never])).toEqual({
    queries: 2,
    downloads: 4,
    rows: 6,
    bytes: 8,
  });
  expect(sumCounts([])).toEqual({ queries: 0, downloads: 0, rows: 0, bytes: 0 });
});
