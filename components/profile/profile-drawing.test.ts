import { describe, expect, test } from "vitest";
import { drawingOf, histogramPath, topShares, truthShares } from "./profile-drawing";

describe("histogram path", () => {
  const bars = (path: string) =>
    [...path.matchAll(/M([\d.]+) ([\d.]+)v-([\d.]+)h([\d.]+)v/g)].map((match) => match.slice(1).map(Number));

  test("bars stand on the base line, inside the drawing, in proportion", () => {
    const drawn = bars(histogramPath([1, 2, 4], 90, 40));
    expect(drawn).toEqual([
      [0, 40, 10, 29],
      [30, 40, 20, 29],
      [60, 40, 40, 29],
    ]);
  });

  test("an empty bin is a gap, a rare value is still visible", () => {
    const drawn = bars(histogramPath([1_000_000, 0, 1], 90, 40));
    expect(drawn).toHaveLength(2);
    expect(drawn[1]?.[2]).toBe(1.5);
  });

  test("no counts draw nothing", () => {
    expect(histogramPath([], 90, 40)).toBe("");
    expect(histogramPath([0, 0], 90, 40)).toBe("");
  });
});

describe("which drawing", () => {
  const histogram = { edges: [0, 1, 2], counts: [3, 4] };
  test.each([
    ["a number's histogram", { null_count: 0, histogram, top_values: [{ value: 1, count: 3 }] }, "histogram"],
    ["a flag's truth", { null_count: 0, true_count: 3, top_values: [{ value: true, count: 3 }] }, "truth"],
    ["a category's values", { null_count: 0, top_values: [{ value: "a", count: 3 }] }, "top"],
    [
      "no drawing where every value stands once",
      {
        null_count: 0,
        top_values: [
          { value: "a", count: 1 },
          { value: "b", count: 1 },
        ],
      },
      "none",
    ],
    ["no drawing of nulls alone", { null_count: 7 }, "none"],
  ] as const)("%s", (_name, profile, drawing) =>
    expect(
      drawingOf(
        { ...profile, ...("top_values" in profile ? { top_values: [...profile.top_values] } : {}) } as never,
        7,
      ),
    ).toBe(drawing),
  );
});

test("shares are of all rows, nulls included", () => {
  const profile = {
    null_count: 5,
    top_values: [
      { value: "a", count: 3 },
      { value: "b", count: 2 },
    ],
  };
  expect(topShares(profile, 10, 1)).toEqual([{ value: "a", count: 3, share: 0.3 }]);
  expect(truthShares({ null_count: 5, true_count: 3 }, 10)).toEqual({ yes: 0.3, no: 0.2, none: 0.5 });
  expect(topShares(profile, 0, 1)).toEqual([]);
  expect(topShares(profile, 100_000, 1)).toEqual([]);
});
