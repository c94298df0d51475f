import { expect, test } from "vitest";
import { instant } from "@/lib/testing/freshness-cases/sketch";
import type { UpdateWindow } from "./evidence";
import { nextRead, readingIntervalMs } from "./reading-plan";
import type { Schedule } from "./ticks";

const ANCHOR = "2026-01-05T06:00"; // a Monday
const schedule = (every: string, more: Partial<Schedule> = {}): Schedule => ({
  ...{ every, anchor: ANCHOR, time_zone: "UTC", on_upstream: false, on_upload: true },
  ...more,
});
const between = (earliest: string, latest: string): UpdateWindow => ({
  earliest: instant(earliest),
  latest: instant(latest),
});
const PROMISED = { expected_by: "PT2H" };

test.each([
  ["a tick and no promise: nothing between", schedule("P1D"), null, "2026-01-06T06:00", "2026-01-07T06:00"],
  ["a tick is next, however late the last reading", schedule("P1D"), null, "2026-01-06T23:59", "2026-01-07T06:00"],
  [
    "read_every between ticks, from the anchor",
    schedule("P1D", { read_every: "PT5H" }),
    null,
    "2026-01-05T07:00",
    "2026-01-05T11:00",
  ],
  ["hours: only at the ticks", schedule("PT6H", PROMISED), null, "2026-01-05T06:00", "2026-01-05T12:00"],
  [
    "hours, in the window: again after half of the grace",
    schedule("PT6H", PROMISED),
    between("2026-01-05T06:00", "2026-01-05T12:00"),
    "2026-01-05T06:00",
    "2026-01-05T09:00",
  ],
  [
    "hours, after that: at the next tick",
    schedule("PT6H", PROMISED),
    between("2026-01-05T06:00", "2026-01-05T14:00"),
    "2026-01-05T09:00",
    "2026-01-05T12:00",
  ],
  [
    "days, in the window: hourly",
    schedule("P1D", PROMISED),
    between("2026-01-06T06:00", "2026-01-06T15:00"),
    "2026-01-06T06:03",
    "2026-01-06T07:03",
  ],
  [
    "days, once the update has come: at the next tick",
    schedule("P1D", PROMISED),
    between("2026-01-07T06:00", "2026-01-07T15:00"),
    "2026-01-06T08:00",
    "2026-01-07T06:00",
  ],
  [
    "weeks, in the window: every three hours",
    schedule("P7D", PROMISED),
    between("2026-01-12T06:00", "2026-01-13T12:00"),
    "2026-01-12T06:00",
    "2026-01-12T09:00",
  ],
  ["weeks: daily before", schedule("P7D", PROMISED), null, "2026-01-06T08:00", "2026-01-07T08:00"],
  ["weeks: never past a tick", schedule("P7D", PROMISED), null, "2026-01-11T08:00", "2026-01-12T06:00"],
  ["months: weekly", schedule("P1M", PROMISED), null, "2026-01-06T08:00", "2026-01-13T08:00"],
  [
    "months: up to the day from which readings are daily",
    schedule("P1M", PROMISED),
    null,
    "2026-01-27T08:00",
    "2026-01-29T06:00",
  ],
  ["months: daily in the week before a tick", schedule("P1M", PROMISED), null, "2026-01-29T06:00", "2026-01-30T06:00"],
  [
    "months, in the window: twice a day",
    schedule("P1M", PROMISED),
    between("2026-02-05T06:00", "2026-02-10T12:00"),
    "2026-02-05T06:00",
    "2026-02-05T18:00",
  ],
  [
    "months, a tick was missed: the time of the next one is not",
    schedule("P1M", PROMISED),
    between("2026-02-05T06:00", "2026-02-10T12:00"),
    "2026-03-05T06:00",
    "2026-03-05T18:00",
  ],
] as const)("%s", (_, given, window, at, next) => {
  expect(new Date(nextRead(given, window, instant(at))).toISOString().slice(0, 16)).toBe(next);
});

test("how long an update may remain undetected in its window", () => {
  const hours = (given: Schedule | null) => readingIntervalMs(given) / 3_600_000;
  expect(hours(null)).toBe(0.5);
  expect(hours(schedule("P7D"))).toBe(168);
  expect(hours(schedule("P7D", { read_every: "PT6H" }))).toBe(6);
  expect(["PT6H", "P1D", "P7D", "P1M"].map((every) => hours(schedule(every, PROMISED)))).toEqual([6, 1, 3, 12]);
});

test("ticks of days that are skipped come on the next day that is not, at their own times", () => {
  const skipped = schedule("PT6H", { skip_dates: ["2026-01-06", "2026-01-07"] });
  const after = (at: string) => new Date(nextRead(skipped, null, instant(at))).toISOString().slice(0, 16);
  expect(after("2026-01-05T17:00")).toBe("2026-01-05T18:00");
  expect(after("2026-01-05T18:00")).toBe("2026-01-08T00:00");
  expect(after("2026-01-08T00:00")).toBe("2026-01-08T06:00");
});

test.each(["PT84H", "PT42H", "PT302399S"])(
  "every %s comes although its ticks are never on the days it names",
  (every) => {
    const tuesdays = schedule(every, { days: ["tue"] });
    const next = new Date(nextRead(tuesdays, null, instant("2026-01-21T00:00")));
    expect(next.getUTCDay()).toBe(2);
    expect(next.toISOString().slice(0, 10)).toBe("2026-01-27");
  },
);
