import { expect, test } from "vitest";
import type { TableReadings } from "@/lib/schemas/readings";
import { endsOf, freshnessMarks, LINE_WIDTH } from "./freshness-marks";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-03-01T00:00:00Z");
const ago = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
type Reading = TableReadings["sources"][number]["readings"][number];

const given = (readings: Reading[], expected: [string, string] | null = null) => ({
  sources: [{ name: "office", readings }],
  freshness: { expected_next_earliest: expected?.[0] ?? null, expected_next_latest: expected?.[1] ?? null },
});
const marksOf = (about: ReturnType<typeof given>, releases: string[] = []) =>
  freshnessMarks(about as Parameters<typeof freshnessMarks>[0], releases, NOW);

test("nothing is drawn where nothing was read", () => {
  expect(marksOf(given([]))).toBeUndefined();
});

test("readings are in chronological order between both ends, separated by what they showed", () => {
  const marks = marksOf(
    given([
      { at: ago(10), ok: true, changed: null, replayed: null },
      { at: ago(6), ok: true, changed: true, replayed: null },
      { at: ago(4), ok: false, changed: null, replayed: null },
      { at: ago(1), ok: true, changed: false, replayed: null },
    ]),
    [ago(6)],
  );
  const [line] = marks?.lines ?? [];
  expect(line).toMatchObject({ name: "office", failures: [expect.any(Number)] });
  const [first, last] = line?.reads ?? [];
  const places = [0, first, line?.changes[0], line?.failures[0], last, marks?.now, LINE_WIDTH] as number[];
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(marks?.releases).toEqual(line?.changes);
  expect(marks?.window).toBeNull();
});

test("a replayed release has its own mark, and is neither a reading nor an observed change", () => {
  const [line] =
    marksOf(
      given([
        { at: ago(9), ok: true, changed: true, replayed: "1.54.0" },
        { at: ago(5), ok: true, changed: false, replayed: "1.55.0" },
        { at: ago(1), ok: true, changed: true, replayed: null },
      ]),
    )?.lines ?? [];
  expect(line).toMatchObject({ replays: [expect.any(Number), expect.any(Number)], reads: [], failures: [] });
  expect(line?.changes).toHaveLength(1);
});

test("an expected window in the future widens the line, and readings from half a year before are left out", () => {
  const marks = marksOf(
    given(
      [
        { at: ago(400), ok: true, changed: true, replayed: null },
        { at: ago(2), ok: true, changed: true, replayed: null },
      ],
      [ago(-3), ago(-5)],
    ),
  );
  expect(marks?.lines[0]?.changes).toHaveLength(1);
  expect(marks?.window?.left).toBeGreaterThan(marks?.now ?? LINE_WIDTH);
  expect(marks?.window?.right).toBeLessThanOrEqual(LINE_WIDTH);
});

test("marks of many readings that changed nothing never overlap", () => {
  const many = Array.from({ length: 2_000 }, (_, at) => ({
    at: ago(100 - at / 20),
    ok: true,
    changed: false,
    replayed: null,
  }));
  const reads = marksOf(given(many))?.lines[0]?.reads ?? [];
  expect(reads.length).toBeLessThanOrEqual(LINE_WIDTH / 3 + 1);
  for (const [at, place] of reads.slice(1).entries()) expect(place - (reads[at] ?? 0)).toBeGreaterThanOrEqual(3);
});

test.each([
  ["2026-02-28T09:12:40Z", "2026-02-28T21:30:00Z", "28 Feb 2026, 09:12 UTC", "21:30 UTC"],
  ["2026-02-28T23:00:00Z", "2026-03-01T01:00:00Z", "28 Feb 2026, 23:00 UTC", "1 Mar 2026, 01:00 UTC"],
  ["2026-02-01T09:00:00Z", "2026-03-01T01:00:00Z", "1 Feb 2026", "1 Mar 2026"],
])("a line from %s to %s says so: its ends differ", (from, to, first, last) => {
  expect(endsOf({ from: Date.parse(from), to: Date.parse(to) })).toEqual([first, last]);
});

test("if nothing was read for longer than the line's length, it starts before the newest reading", () => {
  const replayed = (days: number, version: string) => ({ at: ago(days), ok: true, changed: true, replayed: version });
  const marks = marksOf(given([replayed(2_000, "1.45.0"), replayed(700, "1.53.0"), replayed(620, "1.54.0")]));
  expect(marks?.lines[0]?.replays).toHaveLength(2);
});
