import fc from "fast-check";
import { expect, test } from "vitest";
import { positionScale } from "./position-scale";
import { shortNumber, tickTexts, timeContext } from "./tick-text";

const utc = (text: string) => Date.parse(`${text}Z`);

test.each<[string, number[], string[]]>([
  ["small numbers as they are", [0, 5, 10], ["0", "5", "10"]],
  ["the same decimals for all", [0, 0.5, 1], ["0", "0.5", "1.0"]],
  ["thousands apart", [0, 2000, 4000], ["0", "2,000", "4,000"]],
  ["short forms from ten thousand", [0, 5000, 10_000], ["0", "5k", "10k"]],
  ["millions", [0, 500_000, 1_000_000, 1_500_000], ["0", "0.5M", "1.0M", "1.5M"]],
  ["digits where short forms would all read the same", [1_000_000, 1_000_001], ["1,000,000", "1,000,001"]],
  ["beyond what can be counted", [0, 1e20, 2e20], ["0", "1e20", "2e20"]],
  ["next to nothing", [0, 1e-9, 2e-9], ["0", "1e-9", "2e-9"]],
  ["below zero, with a true minus", [-10, 0, 10], ["\u221210", "0", "10"]],
])("%s", (_name, ticks, texts) => expect(tickTexts(ticks, "number")).toEqual(texts));

test("years are not formatted as quantities", () =>
  expect(tickTexts([1990, 2000], "number", true)).toEqual(["1990", "2000"]));

test("a time tick shows the largest unit that starts there, in UTC; the title has the rest", () => {
  const days = [utc("2001-01-08T00:00:00"), utc("2001-02-01T00:00:00"), utc("2001-02-01T06:00:00")];
  expect(tickTexts(days, "time")).toEqual(["8 Jan", "Feb", "06:00"]);
  expect(tickTexts([utc("2001-01-01T00:00:00"), utc("2002-01-01T00:00:00")], "time")).toEqual(["2001", "2002"]);
  expect(timeContext([utc("2001-03-08T00:00:00"), utc("2001-03-15T00:00:00")])).toBe("2001");
  expect(timeContext([utc("2001-03-08T06:00:00"), utc("2001-03-08T09:00:00")])).toBe("8 Mar 2001");
  expect(timeContext([utc("2001-01-01T00:00:00"), utc("2001-02-01T00:00:00")])).toBe("");
});

test("ticks of one axis have different labels", () => {
  const ends = fc.tuple(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(ends, fc.integer({ min: 2, max: 10 }), ([a, b], count) => {
      const scale = positionScale("number", [Math.min(a, b), Math.max(a, b)], [0, 500], { nice: true });
      const ticks = scale.ticks(count);
      const texts = tickTexts(ticks, "number");
      expect(new Set(texts).size).toBe(ticks.length);
      for (const tick of ticks) expect(Number.isFinite(scale.at(tick))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("numbers beside bars are short and show their magnitude", () => {
  expect([0, 7, 0.01234, 1234, 99_999, 166_341, 1_234_567, -2_500_000, 1e18, 1e-7].map(shortNumber)).toEqual([
    "0",
    "7",
    "0.0123",
    "1,234",
    "99,999",
    "166,341",
    "1.23M",
    "\u22122.5M",
    "1e18",
    "1e-7",
  ]);
});
