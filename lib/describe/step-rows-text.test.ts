import { expect, test } from "vitest";
import { type CountedStep, leftOutText } from "./step-rows-text";

test.each<[CountedStep, string]>([
  [{ kind: "join", from: 2345, to: 2345, unmatched: 82 }, "finds no match for 82 of 2,345 rows"],
  [{ kind: "join", from: 2345, to: 2263, dropped: 82 }, "leaves out 82 of 2,345 rows, which have no match"],
  [{ kind: "unpivot", from: 10, to: 26, dropped: 4 }, "leaves out 4 cells without a value"],
  [{ kind: "dedupe", from: 100, to: 97 }, "leaves out 3 of 100 rows, which are duplicates"],
  [{ kind: "filter", from: 1, to: 0 }, "leaves out 1 of 1 row, which the condition excludes"],
  [{ kind: "pivot", from: 9, to: 2, dropped: 1 }, "leaves out 1 of 9 rows, whose name is not listed"],
  [{ kind: "aggregate", from: 100, to: 7 }, ""],
  [{ kind: "union", from: 100, to: 130 }, ""],
])("%j", (step, words) => expect(leftOutText(step)).toBe(words));
