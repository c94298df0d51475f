import type { FreshnessCase } from "./rules";

const R = ["2026-01-01T00:00"];

/**
 * Windows of declared schedules: earliest is the tick; latest is the promise plus the grace and one reading interval.
 */
export const DECLARED_CASES: readonly FreshnessCase[] = [
  {
    about: "weekly on Mondays, promised within two hours: a day of grace, three hours of reading",
    sketch: {
      releases: R,
      readHours: 3,
      schedule: { every: "P1W", anchor: "2026-01-05T00:00", expected_by: "PT2H" },
      sources: [
        { from: "2026-01-01T00:00", hours: 3, changes: ["2026-01-05T03:00", "2026-01-12T03:00", "2026-01-21T03:00"] },
      ],
    },
    moments: [
      ["2026-01-05T12:00", "fresh, high, 2026-01-12T00:00 to 2026-01-13T05:00"],
      ["2026-01-14T00:00", "fresh, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-18T23:59", "fresh, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-19T00:00", "awaiting_update, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-20T05:00", "awaiting_update, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-20T05:00:01", "stale, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-21T03:00", "fresh, high, 2026-01-26T00:00 to 2026-01-27T05:00"],
      ["2026-01-27T06:00", "stale, high, 2026-01-26T00:00 to 2026-01-27T05:00"],
      ["2026-02-20T00:00", "stale, high, 2026-01-26T00:00 to 2026-01-27T05:00"],
    ],
  },
  {
    about: "no change seen yet: the first reading stands for the tick before it",
    sketch: {
      releases: R,
      readHours: 3,
      schedule: { every: "P1W", anchor: "2026-01-05T00:00", expected_by: "PT2H" },
      sources: [{ from: "2026-01-07T00:00", hours: 3 }],
    },
    moments: [
      ["2026-01-08T00:00", "fresh, high, 2026-01-12T00:00 to 2026-01-13T05:00"],
      ["2026-01-12T01:00", "awaiting_update, high, 2026-01-12T00:00 to 2026-01-13T05:00"],
      ["2026-01-14T00:00", "stale, high, 2026-01-12T00:00 to 2026-01-13T05:00"],
    ],
  },
  {
    about: "six hours before a tick, the previous one having an update: the next tick's update",
    sketch: {
      releases: R,
      readHours: 3,
      schedule: { every: "P1W", anchor: "2026-01-05T00:00", expected_by: "PT2H" },
      sources: [{ from: "2026-01-01T00:00", hours: 3, changes: ["2026-01-12T03:00", "2026-01-18T18:00"] }],
    },
    moments: [
      ["2026-01-18T17:00", "fresh, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-18T18:00", "fresh, high, 2026-01-26T00:00 to 2026-01-27T05:00"],
      ["2026-01-21T00:00", "fresh, high, 2026-01-26T00:00 to 2026-01-27T05:00"],
    ],
  },
  {
    about: "six hours before a tick, the previous one having none: that one's late update",
    sketch: {
      releases: R,
      readHours: 3,
      schedule: { every: "P1W", anchor: "2026-01-05T00:00", expected_by: "PT2H" },
      sources: [{ from: "2026-01-01T00:00", hours: 3, changes: ["2026-01-05T03:00", "2026-01-18T18:00"] }],
    },
    moments: [
      ["2026-01-18T15:00", "stale, high, 2026-01-12T00:00 to 2026-01-13T05:00"],
      ["2026-01-18T18:00", "fresh, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
    ],
  },
  {
    about: "eighteen hours before the tick is a second update of the week, not the next one's",
    sketch: {
      releases: R,
      readHours: 3,
      schedule: { every: "P1W", anchor: "2026-01-05T00:00", expected_by: "PT2H" },
      sources: [{ from: "2026-01-01T00:00", hours: 3, changes: ["2026-01-12T03:00", "2026-01-18T06:00"] }],
    },
    moments: [["2026-01-18T12:00", "fresh, high, 2026-01-19T00:00 to 2026-01-20T05:00"]],
  },
  {
    about: "daily at six, promised for nine: six hours of grace, one of reading",
    sketch: {
      releases: R,
      schedule: { every: "P1D", anchor: "2026-01-01T06:00", expected_by: "09:00" },
      sources: [{ from: "2026-01-01T00:00", changes: ["2026-01-02T07:00", "2026-01-03T08:00"] }],
    },
    moments: [
      ["2026-01-02T07:00", "fresh, high, 2026-01-03T06:00 to 2026-01-03T16:00"],
      ["2026-01-03T05:59", "fresh, high, 2026-01-03T06:00 to 2026-01-03T16:00"],
      ["2026-01-03T06:00", "awaiting_update, high, 2026-01-03T06:00 to 2026-01-03T16:00"],
      ["2026-01-03T08:00", "fresh, high, 2026-01-04T06:00 to 2026-01-04T16:00"],
      ["2026-01-04T16:00", "awaiting_update, high, 2026-01-04T06:00 to 2026-01-04T16:00"],
      ["2026-01-04T16:01", "stale, high, 2026-01-04T06:00 to 2026-01-04T16:00"],
    ],
  },
  {
    about: "a declared grace replaces the usual one",
    sketch: {
      releases: R,
      schedule: { every: "P1D", anchor: "2026-01-01T06:00", expected_by: "09:00", grace: "PT30M" },
      sources: [{ from: "2026-01-01T00:00", changes: ["2026-01-02T07:00"] }],
    },
    moments: [
      ["2026-01-03T10:30", "awaiting_update, high, 2026-01-03T06:00 to 2026-01-03T10:30"],
      ["2026-01-03T10:31", "stale, high, 2026-01-03T06:00 to 2026-01-03T10:30"],
    ],
  },
  {
    about: "monthly on the 31st: the last day of shorter months, and back to the 31st",
    sketch: {
      releases: R,
      readHours: 12,
      schedule: { every: "P1M", anchor: "2026-01-31T00:00", expected_by: "P1D" },
      sources: [
        { from: "2026-01-01T00:00", hours: 12, changes: ["2026-01-31T12:00", "2026-02-28T12:00", "2026-03-31T12:00"] },
      ],
    },
    moments: [
      ["2026-02-10T00:00", "fresh, high, 2026-02-28T00:00 to 2026-03-06T12:00"],
      ["2026-02-28T00:00", "awaiting_update, high, 2026-02-28T00:00 to 2026-03-06T12:00"],
      ["2026-03-10T00:00", "fresh, high, 2026-03-31T00:00 to 2026-04-06T12:00"],
      ["2026-04-10T00:00", "fresh, high, 2026-04-30T00:00 to 2026-05-06T12:00"],
      ["2026-05-06T12:00", "awaiting_update, high, 2026-04-30T00:00 to 2026-05-06T12:00"],
      ["2026-05-06T13:00", "stale, high, 2026-04-30T00:00 to 2026-05-06T12:00"],
    ],
  },
  {
    about: "Monday to Friday: Friday's update holds over the weekend",
    sketch: {
      releases: R,
      schedule: {
        every: "P1D",
        anchor: "2026-01-05T06:00",
        days: ["mon", "tue", "wed", "thu", "fri"],
        expected_by: "09:00",
      },
      sources: [{ from: "2026-01-05T00:00", changes: ["2026-01-08T07:00", "2026-01-09T07:00"] }],
    },
    moments: [
      ["2026-01-08T12:00", "fresh, high, 2026-01-09T06:00 to 2026-01-09T16:00"],
      ["2026-01-09T12:00", "fresh, high, 2026-01-12T06:00 to 2026-01-12T16:00"],
      ["2026-01-11T12:00", "fresh, high, 2026-01-12T06:00 to 2026-01-12T16:00"],
      ["2026-01-12T07:00", "awaiting_update, high, 2026-01-12T06:00 to 2026-01-12T16:00"],
      ["2026-01-12T17:00", "stale, high, 2026-01-12T06:00 to 2026-01-12T16:00"],
    ],
  },
  {
    about: "a holiday moves the tick to the next allowed day",
    sketch: {
      releases: R,
      schedule: {
        every: "P1D",
        anchor: "2026-01-05T06:00",
        days: ["mon", "tue", "wed", "thu", "fri"],
        skip_dates: ["2026-01-12"],
        expected_by: "09:00",
      },
      sources: [{ from: "2026-01-05T00:00", changes: ["2026-01-09T07:00"] }],
    },
    moments: [
      ["2026-01-12T12:00", "fresh, high, 2026-01-13T06:00 to 2026-01-13T16:00"],
      ["2026-01-13T06:00", "awaiting_update, high, 2026-01-13T06:00 to 2026-01-13T16:00"],
    ],
  },
  {
    about: "monthly on the 1st, moved from a weekend to the Monday after",
    sketch: {
      releases: R,
      readHours: 12,
      schedule: {
        every: "P1M",
        anchor: "2026-01-01T00:00",
        days: ["mon", "tue", "wed", "thu", "fri"],
        expected_by: "P1D",
      },
      sources: [{ from: "2026-01-01T00:00", hours: 12, changes: ["2026-01-02T00:00"] }],
    },
    moments: [
      ["2026-02-01T12:00", "fresh, high, 2026-02-02T00:00 to 2026-02-08T12:00"],
      ["2026-02-02T00:00", "awaiting_update, high, 2026-02-02T00:00 to 2026-02-08T12:00"],
    ],
  },
  {
    about: "local six o'clock in Berlin: an hour earlier in UTC once summer time has begun",
    sketch: {
      releases: R,
      schedule: { every: "P1D", anchor: "2026-03-01T06:00", time_zone: "Europe/Berlin", expected_by: "09:00" },
      sources: [{ from: "2026-03-01T00:00", changes: ["2026-03-27T06:00", "2026-03-28T06:00", "2026-03-29T06:00"] }],
    },
    moments: [
      ["2026-03-27T12:00", "fresh, high, 2026-03-28T05:00 to 2026-03-28T15:00"],
      ["2026-03-28T12:00", "fresh, high, 2026-03-29T04:00 to 2026-03-29T14:00"],
      ["2026-03-29T12:00", "fresh, high, 2026-03-30T04:00 to 2026-03-30T14:00"],
    ],
  },
  {
    about: "half past two in Berlin does not exist on the day of the change: half past three",
    sketch: {
      releases: R,
      schedule: { every: "P1D", anchor: "2026-03-01T02:30", time_zone: "Europe/Berlin", expected_by: "PT1H" },
      sources: [{ from: "2026-03-01T00:00", changes: ["2026-03-28T02:00"] }],
    },
    moments: [["2026-03-28T12:00", "fresh, high, 2026-03-29T01:30 to 2026-03-29T09:30"]],
  },
  {
    about: "half an hour of daylight saving on Lord Howe",
    sketch: {
      releases: R,
      schedule: { every: "P1D", anchor: "2026-04-01T06:00", time_zone: "Australia/Lord_Howe", expected_by: "PT1H" },
      sources: [{ from: "2026-04-01T00:00", changes: ["2026-04-03T20:00", "2026-04-04T20:00"] }],
    },
    moments: [
      // +11:00 until 2026-04-05T02:00 local, then +10:30
      ["2026-04-04T00:00", "fresh, high, 2026-04-04T19:30 to 2026-04-05T03:30"],
      ["2026-04-05T00:00", "fresh, high, 2026-04-05T19:30 to 2026-04-06T03:30"],
    ],
  },
  {
    about: "24 hours are not a day: the grid is fixed in UTC",
    sketch: {
      releases: R,
      schedule: { every: "PT24H", anchor: "2026-03-01T06:00", time_zone: "Europe/Berlin", expected_by: "PT1H" },
      sources: [{ from: "2026-03-01T00:00", changes: ["2026-03-28T06:00"] }],
    },
    moments: [["2026-03-28T12:00", "fresh, high, 2026-03-29T05:00 to 2026-03-29T13:00"]],
  },
  {
    about: "two sources with one schedule: the later window is the table's",
    sketch: {
      releases: R,
      readHours: 3,
      schedule: { every: "P1W", anchor: "2026-01-05T00:00", expected_by: "PT2H" },
      sources: [
        { name: "a", from: "2026-01-01T00:00", hours: 3, changes: ["2026-01-05T03:00"] },
        { name: "b", from: "2026-01-01T00:00", hours: 3, changes: ["2026-01-05T03:00", "2026-01-12T03:00"] },
      ],
    },
    moments: [
      ["2026-01-08T00:00", "fresh, high, 2026-01-12T00:00 to 2026-01-13T05:00"],
      ["2026-01-15T00:00", "fresh, high, 2026-01-19T00:00 to 2026-01-20T05:00"],
      ["2026-01-22T00:00", "stale, high, 2026-01-19T00:00 to 2026-01-20T05:00 by b"],
    ],
  },
  {
    about: "`every` without `expected_by` says how often sources are read, and promises nothing",
    sketch: {
      releases: R,
      readHours: 24,
      schedule: { every: "P1D", anchor: "2026-01-01T00:00" },
      sources: [{ from: "2026-01-01T00:00", hours: 24, changes: ["2026-01-05T00:00"] }],
    },
    moments: [["2026-01-20T00:00", "learning: not_enough_history"]],
  },
];
