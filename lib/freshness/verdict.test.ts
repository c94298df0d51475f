import { describe, expect, test } from "vitest";
import { LEARNED_CASES } from "@/lib/testing/freshness-cases/learned";
import { type FreshnessCase, RULE_CASES } from "@/lib/testing/freshness-cases/rules";
import { instant, sketched } from "@/lib/testing/freshness-cases/sketch";
import { DECLARED_CASES } from "@/lib/testing/freshness-cases/windows";
import type { TableVerdict } from "./evidence";
import { tableVerdict } from "./verdict";

const CASES: readonly FreshnessCase[] = [...RULE_CASES, ...DECLARED_CASES, ...LEARNED_CASES];

const short = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** A verdict in the words of the cases. */
function words({ state, reason, confidence, window, blockingSource }: TableVerdict): string {
  const by = blockingSource === null || blockingSource === "source 1" ? "" : ` by ${blockingSource}`;
  if (!window) return `${state}: ${reason}${by}`;
  return `${state}, ${confidence}, ${short(window.earliest)} to ${short(window.latest)}${by}`;
}

describe.each(CASES)("$about", ({ sketch, moments }) => {
  test.each(moments)("at %s: %s", (now, verdict) => {
    const at = instant(now);
    expect(words(tableVerdict(sketched(sketch, at), at))).toBe(verdict);
  });
});

test("the last change reported is the newest, even if it corrects the previous one within the hour", () => {
  const [seen, corrected] = ["2026-01-02T00:00", "2026-01-02T00:30"];
  const source = { from: "2026-01-01T00:00", hours: 0.5, changes: [seen, corrected] };
  const now = instant("2026-01-02T02:00");
  const verdict = tableVerdict(sketched({ releases: ["2026-01-01T00:00"], sources: [source] }, now), now);
  expect([verdict.lastChangedAt, verdict.sources[0]?.lastChangedAt]).toEqual([instant(corrected), instant(corrected)]);
});

test("there are at least 120 cases", () => {
  expect(CASES.flatMap(({ moments }) => moments).length).toBeGreaterThanOrEqual(120);
});
