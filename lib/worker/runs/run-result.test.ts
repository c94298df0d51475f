import { expect, test } from "vitest";
import type { CheckResult } from "@/lib/builds/plan";
import { shownChecks } from "./run-result";

type Cells = Record<string, string | null>;

const checkOf = (at: number, cells: readonly Cells[], more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ table: "levels", check: "range", pointer: `/tables/0/checks/${at}`, title: null, severity: "warn" },
  ...{ outcome: "failed", failures: cells.length, examined: 9, message: "Some fail." },
  examples: cells.map((each) => ({ row: 1, values: [], cells: each })),
  ...more,
});

const wide = (mark: string): Cells =>
  Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`column ${at}`, mark.repeat(500)]));

test("however many checks fail on however wide rows, a run's examples stay within a short reply", () => {
  const checks = Array.from({ length: 100 }, (_, at) => checkOf(at, [wide("x"), wide("y"), wide("z")]));
  const shown = shownChecks(checks);
  const examples = shown.flatMap(({ examples: own = [] }) => own);
  expect(shown).toHaveLength(100);
  expect(examples.length).toBe(2);
  expect(JSON.stringify(examples).length).toBeLessThan(8_200);
});

test("each failed check shows one failure before any shows a second, checks that end a run first", () => {
  const narrow = [{ level: "1" }, { level: "2" }, { level: "3" }, { level: "4" }];
  const many = Array.from({ length: 8 }, (_, at) => checkOf(at, [wide("x"), wide("y")]));
  const last = checkOf(8, [wide("e"), wide("f")], { severity: "error" });
  const shown = shownChecks([...many, checkOf(9, narrow), last, checkOf(10, narrow, { outcome: "passed" })]);
  const counts = shown.map(({ examples }) => examples?.length ?? 0);
  expect(counts).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0]);
});
