import type { FreshnessCase } from "./rules";

const R = ["2025-01-01T00:00"];
const DAY_MS = 86_400_000;

/** Times of changes: the first, followed by those the given numbers of days after it. */
function after(first: string, ...days: readonly number[]): string[] {
  const start = Date.parse(`${first}Z`);
  const sums = days.map((_, at) => days.slice(0, at + 1).reduce((sum, count) => sum + count, 0));
  return [first, ...sums.map((count) => new Date(start + count * DAY_MS).toISOString().slice(0, 16))];
}
const times = (count: number, days: number): number[] => Array<number>(count).fill(days);
/** Read at midnight; most changes are seen then. */
const DAILY = { from: "2025-01-01T00:00", hours: 24 };
const HOURLY = { from: "2025-01-01T00:00", hours: 1 };
const reading = (changes: readonly string[], source: object = DAILY, readHours = 24) => ({
  releases: R,
  readHours,
  sources: [{ ...source, changes }],
});

/** Windows learned from the times of changes: p10 and p90 of the intervals, the grace and one reading interval. */
export const LEARNED_CASES: readonly FreshnessCase[] = [
  {
    about: "weekly, change by change: five intervals are enough, six are medium, twelve high",
    sketch: reading(after("2025-01-06T00:00", ...times(12, 7))),
    moments: [
      ["2025-01-05T12:00", "learning: not_enough_history"],
      ["2025-01-10T00:00", "learning: not_enough_history"],
      ["2025-02-09T00:00", "learning: not_enough_history"],
      ["2025-02-10T00:00", "fresh, low, 2025-02-17T00:00 to 2025-02-19T00:00"],
      ["2025-02-17T00:00", "fresh, medium, 2025-02-24T00:00 to 2025-02-26T00:00"],
      ["2025-03-30T00:00", "fresh, medium, 2025-03-31T00:00 to 2025-04-02T00:00"],
      ["2025-03-31T00:00", "fresh, high, 2025-04-07T00:00 to 2025-04-09T00:00"],
      ["2025-04-06T23:59", "fresh, high, 2025-04-07T00:00 to 2025-04-09T00:00"],
      ["2025-04-07T00:00", "awaiting_update, high, 2025-04-07T00:00 to 2025-04-09T00:00"],
      ["2025-04-09T00:00", "awaiting_update, high, 2025-04-07T00:00 to 2025-04-09T00:00"],
      ["2025-04-09T00:01", "stale, high, 2025-04-07T00:00 to 2025-04-09T00:00"],
      ["2025-09-01T00:00", "stale, high, 2025-04-07T00:00 to 2025-04-09T00:00"],
    ],
  },
  {
    // sorted 6 6 7 7 7 8: p10 = 6, p90 = 7.5 days; grace of a week 1 day, reading 1 day
    about: "six to eight days: the percentiles lie between the intervals",
    sketch: reading(after("2025-01-06T00:00", 7, 6, 8, 7, 6, 7)),
    moments: [
      ["2025-02-17T00:00", "fresh, medium, 2025-02-22T00:00 to 2025-02-25T12:00"],
      ["2025-02-23T00:00", "awaiting_update, medium, 2025-02-22T00:00 to 2025-02-25T12:00"],
      ["2025-02-25T13:00", "stale, medium, 2025-02-22T00:00 to 2025-02-25T12:00"],
    ],
  },
  {
    about: "every day at six, read every hour: six hours of grace, one of reading",
    sketch: reading(after("2025-01-02T06:00", ...times(12, 1)), HOURLY, 1),
    moments: [
      ["2025-01-06T12:00", "learning: not_enough_history"],
      ["2025-01-07T06:00", "fresh, low, 2025-01-08T06:00 to 2025-01-08T13:00"],
      ["2025-01-14T06:00", "fresh, high, 2025-01-15T06:00 to 2025-01-15T13:00"],
      ["2025-01-15T07:00", "awaiting_update, high, 2025-01-15T06:00 to 2025-01-15T13:00"],
      ["2025-01-15T13:01", "stale, high, 2025-01-15T06:00 to 2025-01-15T13:00"],
    ],
  },
  {
    about: "six changes on three days are not enough history",
    sketch: reading(
      [
        "2025-01-02T06:00",
        "2025-01-02T18:00",
        "2025-01-03T06:00",
        "2025-01-03T18:00",
        "2025-01-04T06:00",
        "2025-01-04T18:00",
      ],
      HOURLY,
      1,
    ),
    moments: [["2025-01-04T20:00", "learning: not_enough_history"]],
  },
  {
    about: "twice a day for four days: half a day is learned",
    sketch: reading(after("2025-01-02T06:00", ...times(7, 0.5)), HOURLY, 1),
    moments: [
      ["2025-01-05T19:00", "fresh, medium, 2025-01-06T06:00 to 2025-01-06T13:00"],
      ["2025-01-06T14:00", "stale, medium, 2025-01-06T06:00 to 2025-01-06T13:00"],
    ],
  },
  {
    // of the five, only 40 and 20 lie between what the other four say
    about: "intervals of 2 to 60 days follow no pattern",
    sketch: reading(after("2025-01-06T00:00", 2, 60, 5, 40, 20)),
    moments: [["2025-05-15T00:00", "learning: no_regular_pattern"]],
  },
  {
    // the interval of 28 days is outside the range of the other five; five of six hold, more than three quarters
    about: "one month missed among weeks",
    sketch: reading(after("2025-01-06T00:00", 7, 7, 28, 7, 7, 7)),
    moments: [["2025-03-11T00:00", "fresh, medium, 2025-03-17T00:00 to 2025-03-29T12:00"]],
  },
  {
    about: "a correction within the hour is the same update",
    sketch: reading(
      [
        "2025-01-02T06:00",
        "2025-01-03T06:00",
        "2025-01-04T06:00",
        "2025-01-04T06:30",
        "2025-01-05T06:00",
        "2025-01-06T06:00",
        "2025-01-07T06:00",
      ],
      HOURLY,
      1,
    ),
    moments: [
      ["2025-01-06T12:00", "learning: not_enough_history"],
      ["2025-01-07T07:00", "fresh, low, 2025-01-08T06:00 to 2025-01-08T13:00"],
    ],
  },
  {
    about: "a failed reading is neither a change nor an unchanged reading",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [
        {
          ...DAILY,
          changes: after("2025-01-06T00:00", ...times(5, 7)),
          fails: [["2025-01-15T00:00", "2025-01-15T00:00"]] as const,
        },
      ],
    },
    moments: [["2025-02-10T00:00", "fresh, low, 2025-02-17T00:00 to 2025-02-19T00:00"]],
  },
  {
    // the change during the outage was detected ten days late, so it bounds no interval
    about: "a change detected after an outage teaches nothing",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [
        {
          ...DAILY,
          changes: [...after("2025-01-06T00:00", ...times(6, 7)), "2025-03-05T00:00", ...after("2025-03-10T00:00")],
          fails: [["2025-02-19T00:00", "2025-03-04T00:00"]] as const,
        },
      ],
    },
    moments: [["2025-03-12T00:00", "fresh, medium, 2025-03-17T00:00 to 2025-03-19T00:00"]],
  },
  {
    about: "a weekly source that is read weekly teaches nothing: any change may be a week old",
    sketch: reading(after("2025-01-08T00:00", ...times(5, 7)), { from: "2025-01-01T00:00", hours: 168 }, 168),
    moments: [
      ["2025-02-12T00:00", "learning: not_enough_history"],
      ["2025-02-19T00:00", "learning: not_enough_history"],
    ],
  },
  {
    about: "the source with the later window is the table's",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [
        { ...DAILY, name: "weekly", changes: after("2025-01-06T00:00", ...times(20, 7)) },
        { ...DAILY, name: "monthly", changes: after("2025-01-01T00:00", ...times(5, 28)).slice(1) },
      ],
    },
    moments: [
      ["2025-04-01T00:00", "learning: not_enough_history by monthly"],
      ["2025-05-24T00:00", "learning: not_enough_history by monthly"],
    ],
  },
  {
    // from the fourth month on, the previous weekly intervals are forgotten
    about: "a weekly source that becomes monthly is learning for a while, then monthly",
    sketch: reading(after("2025-01-06T00:00", ...times(8, 7), ...times(6, 28))),
    moments: [
      ["2025-03-03T00:00", "fresh, medium, 2025-03-10T00:00 to 2025-03-12T00:00"],
      ["2025-03-20T00:00", "stale, medium, 2025-03-10T00:00 to 2025-03-12T00:00"],
      ["2025-06-23T00:00", "learning: not_enough_history"],
      ["2025-07-21T00:00", "fresh, low, 2025-08-18T00:00 to 2025-08-24T00:00"],
    ],
  },
  {
    // only active days have a length, so every interval is one day
    about: "Monday to Friday, learned: no update is expected on a weekend",
    sketch: reading(
      after("2025-01-06T06:00", 1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1),
      HOURLY,
      1,
    ),
    moments: [
      ["2025-02-06T12:00", "fresh, high, 2025-02-07T06:00 to 2025-02-07T13:00"],
      ["2025-02-07T12:00", "fresh, high, 2025-02-10T06:00 to 2025-02-10T13:00"],
      ["2025-02-09T12:00", "fresh, high, 2025-02-10T06:00 to 2025-02-10T13:00"],
      ["2025-02-10T13:01", "stale, high, 2025-02-10T06:00 to 2025-02-10T13:00"],
    ],
  },
  {
    // detected only on Tuesdays, so that 245 days have 35 of length: p90 = 35 + 0.3 × (125 − 35) = 62 Tuesdays, 434
    // days
    about: "mime-db's releases, read every Tuesday: a percentile of whole days ends on a whole day",
    sketch: reading(
      after("2021-02-16T00:00", 49, 56, 56, 56, 49, 105, 875, 245),
      { from: "2020-09-22T00:00", hours: 168 },
      168,
    ),
    moments: [["2025-05-01T00:00", "fresh, medium, 2025-05-06T00:00 to 2026-06-16T00:00"]],
  },
];
