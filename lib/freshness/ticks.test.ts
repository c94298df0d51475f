import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { instant } from "@/lib/testing/freshness-cases/sketch";
import { timesAsMuch } from "@/lib/testing/processor-time";
import { propertyParameters } from "@/lib/testing/property";
import { readingIntervalMs } from "./reading-plan";
import { nextMidnight, promised, type Schedule, Ticks } from "./ticks";

const schedule = (every: string, anchor: string, time_zone: string, more: Partial<Schedule> = {}): Schedule => ({
  ...{ every, anchor, time_zone, on_upstream: false, on_upload: true },
  ...more,
});
const local = (text: string, zone: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
const shown = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16);

const WEEKDAYS: Schedule["days"] = ["mon", "tue", "wed", "thu", "fri"];

test.each([
  ["the anchor is skipped", "P1D", "2018-11-04T00:00", "America/Sao_Paulo", {}, "2018-11-05T12:00", "2018-11-06T00:00"],
  [
    "moved past it",
    "P1W",
    "2026-03-07T02:30",
    "Europe/Berlin",
    { days: WEEKDAYS },
    "2026-03-28T12:00",
    "2026-03-30T02:30",
  ],
  [
    "moved from it",
    "P1W",
    "2026-03-22T02:30",
    "Europe/Berlin",
    { days: WEEKDAYS },
    "2026-03-29T12:00",
    "2026-03-30T02:30",
  ],
] as const)(
  "a local time that a zone skips changes only the tick on it: %s",
  (_, every, anchor, zone, more, at, next) => {
    const ticks = new Ticks(schedule(every, anchor, zone, more));
    expect(shown(ticks.after(local(at, zone)), zone)).toBe(next);
  },
);

test("a day of 25 hours at the anchor does not lengthen the period: an hour between readings, not three", () => {
  const daily = schedule("P1D", "2026-10-25T00:00", "Europe/Berlin", { expected_by: "09:00" });
  expect(new Ticks(daily).periodMs).toBe(24 * 3_600_000);
  expect(readingIntervalMs(daily)).toBe(3_600_000);
  expect(new Ticks(schedule("P1M", "2026-10-01T00:00", "Europe/Berlin")).periodMs).toBe(31 * 86_400_000);
});

test("a promised time that is skipped on the tick's day is itself on the next one", () => {
  const tick = local("2026-03-29T04:00", "Europe/Berlin");
  expect(shown(promised(tick, "02:30", "Europe/Berlin"), "Europe/Berlin")).toBe("2026-03-30T02:30");
});

test("after a day without midnight, the next one begins at midnight", () => {
  const zone = "America/Sao_Paulo";
  expect(shown(nextMidnight(local("2018-11-04T12:00", zone), zone), zone)).toBe("2018-11-05T00:00");
});

const MONDAY = "2026-01-05T06:00";

test("the days of a frequent schedule cost little to find, when it has ticks on that day", async () => {
  const finds = (more: Partial<Schedule>) => () => {
    const ticks = new Ticks(schedule("PT15M", MONDAY, "UTC", more));
    for (let hour = 0; hour < 100; hour += 1) ticks.around(instant("2026-11-25T12:00"));
  };
  expect(await timesAsMuch(finds({ days: ["tue", "wed"] }), finds({}), 8)).toBeLessThan(8);
});

test("they cost little on other days too, and on the first moments of a day", async () => {
  const finds = (more: Partial<Schedule>) => () => {
    const ticks = new Ticks(schedule("PT1M", MONDAY, "UTC", more));
    for (const at of ["2026-11-24T12:00", "2026-11-29T23:00", "2026-11-30T00:00"])
      for (let time = 0; time < 20; time += 1) ticks.around(instant(at));
  };
  expect(await timesAsMuch(finds({ days: ["mon"] }), finds({}), 30)).toBeLessThan(30);
  const { last, next } = new Ticks(schedule("PT1M", MONDAY, "UTC", { days: ["mon"] })).around(
    instant("2026-11-25T12:00"),
  );
  expect([last, next]).toEqual([instant("2026-11-23T23:59"), instant("2026-11-30T00:00")]);
});

test.each([
  ["2019-02-01T06:00", "P1M", "2026-11-01T06:00", "2026-12-01T06:00"],
  ["2023-01-31T06:00", "P1M", "2026-10-31T06:00", "2026-11-30T06:00"],
  ["1900-02-01T06:00", "P3M", "2026-11-01T06:00", "2027-02-01T06:00"],
  ["2019-03-01T06:00", "P1M", "2026-11-01T06:00", "2026-12-01T06:00"],
  ["1601-02-28T06:00", "P1Y", "2026-02-28T06:00", "2027-02-28T06:00"],
  ["0001-01-01T00:00", "PT15M", "2026-11-25T00:00", "2026-11-25T00:15"],
])("ticks from %s, every %s, are the same calendar's years later", (anchor, every, last, next) => {
  const around = new Ticks(schedule(every, anchor, "UTC")).around(instant("2026-11-25T00:00"));
  const short = (at?: number) => at !== undefined && new Date(at).toISOString().slice(0, 16);
  expect([short(around.last), short(around.next)]).toEqual([last, next]);
});

const ZONES = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"];
const YEARS = [1900, 1970, 2011, 2018, 2024, 2026, 2100, 2500];
const year = fc.constantFrom(...YEARS);
const two = (value: number) => String(value).padStart(2, "0");
const minutes = fc
  .tuple(
    year,
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
    fc.constantFrom("00:00", "02:30", "23:30"),
  )
  .map(([y, m, d, clock]) => `${y}-${two(m)}-${two(d)}T${clock}`);
/** Durations with a length that they never fall below, in days. */
const EVERYS = [
  { every: "P1D", least: 1 },
  { every: "P5D", least: 5 },
  { every: "P1W", least: 7 },
  { every: "P1M", least: 28 },
  { every: "P11M30D", least: 360 },
  { every: "P4Y", least: 1460 },
];

test("however far from the anchor, the ticks are its multiples in local time", () => {
  fc.assert(
    fc.property(fc.constantFrom(...EVERYS), minutes, fc.constantFrom(...ZONES), minutes, (row, anchor, zone, at) => {
      const { years, months, weeks, days } = Temporal.Duration.from(row.every);
      const tick = (n: number) =>
        Temporal.PlainDateTime.from(anchor)
          .add({ years: years * n, months: months * n, weeks: weeks * n, days: days * n })
          .toZonedDateTime(zone).epochMilliseconds;
      const instant = local(at, zone);
      let low = -1; // its tick is not after the instant, that of `high` is
      let high = Math.max(0, Math.floor((instant - tick(0)) / 86_400_000 / row.least) + 4);
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (tick(middle) <= instant) low = middle;
        else high = middle;
      }
      const expected = { last: low < 0 ? undefined : tick(low), next: tick(high) };
      expect(new Ticks(schedule(row.every, anchor, zone)).around(instant)).toEqual(expected);
    }),
    propertyParameters(200),
  );
});
