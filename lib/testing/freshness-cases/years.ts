import { Temporal } from "temporal-polyfill";

/** A source over 400 days under a schedule, and verdicts at moments (UTC) that were worked out by hand. */
export interface YearCase {
  about: string;
  start: string;
  refresh: object;
  /** When the source's rows change, until a time. */
  changes(until: number): number[];
  fails?: readonly (readonly [from: string, until: string])[];
  /** The times between which no worker runs. */
  sleeps?: readonly (readonly [from: string, until: string])[];
  /** In ascending order. `unknown` and `learning` are given by their reasons. */
  moments: readonly (readonly [at: string, verdict: string])[];
}

/** Local times in a zone, as milliseconds since 1970. */
const local = (zone: string, date: Temporal.PlainDate, time: string): number =>
  date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;

function days(zone: string, from: string, time: string, keep: (day: Temporal.PlainDate) => boolean) {
  return (until: number): number[] => {
    const found: number[] = [];
    for (let day = Temporal.PlainDate.from(from); local(zone, day, time) < until; day = day.add({ days: 1 }))
      if (keep(day)) found.push(local(zone, day, time));
    return found;
  };
}

const HOLIDAYS = ["2026-02-16", "2026-07-03", "2026-11-26", "2026-12-25", "2027-01-01"];
const isLastOfMonth = (day: Temporal.PlainDate): boolean => day.day === day.daysInMonth;

export const YEARS: readonly YearCase[] = [
  {
    about: "monthly on the 31st, Berlin",
    start: "2026-01-20T12:00",
    // 06:00 is 05:00 UTC in winter, 04:00 in summer; until 18:00, five days of grace and half a day between readings
    refresh: { every: "P1M", anchor: "2026-01-31T06:00", time_zone: "Europe/Berlin", expected_by: "PT12H" },
    changes: days(
      "Europe/Berlin",
      "2026-01-31",
      "10:00",
      (day) => isLastOfMonth(day) && !["2026-07-31", "2026-10-31"].includes(day.toString()),
    ),
    moments: [
      ["2026-01-21T00:00", "fresh"],
      ["2026-01-31T04:59", "fresh"],
      ["2026-01-31T05:01", "awaiting_update"],
      ["2026-01-31T16:59", "awaiting_update"], // it came at 09:00, and is seen at the next reading
      ["2026-01-31T18:00", "fresh"],
      ["2026-02-28T04:59", "fresh"],
      ["2026-02-28T05:01", "awaiting_update"], // the last day of a shorter month
      ["2026-02-28T18:00", "fresh"],
      ["2026-03-31T03:59", "fresh"], // the 31st again, in summer
      ["2026-03-31T04:01", "awaiting_update"],
      ["2026-03-31T17:00", "fresh"],
      ["2026-04-30T04:01", "awaiting_update"],
      ["2026-04-30T17:00", "fresh"],
      ["2026-07-31T03:59", "fresh"],
      ["2026-08-06T03:59", "awaiting_update"], // 16:00 and five and a half days
      ["2026-08-06T04:01", "stale"],
      ["2026-08-31T07:59", "stale"], // waiting does not repair it
      ["2026-08-31T17:00", "fresh"],
      ["2026-09-30T04:01", "awaiting_update"],
      ["2026-10-31T04:59", "fresh"], // winter again
      ["2026-11-06T04:59", "awaiting_update"],
      ["2026-11-06T05:01", "stale"],
      ["2026-11-30T18:00", "fresh"],
      ["2027-01-31T05:01", "awaiting_update"],
      ["2027-01-31T18:00", "fresh"],
    ],
  },
  {
    about: "Monday to Friday with holidays, New York",
    start: "2026-01-05T20:00",
    // until 09:00, six hours of grace and one between readings: 16:00
    refresh: {
      ...{ every: "P1D", anchor: "2026-01-05T06:00", time_zone: "America/New_York", expected_by: "09:00" },
      ...{ days: ["mon", "tue", "wed", "thu", "fri"], skip_dates: HOLIDAYS },
    },
    changes: days(
      "America/New_York",
      "2026-01-06",
      "08:30",
      (day) => day.dayOfWeek <= 5 && ![...HOLIDAYS, "2026-02-03", "2026-09-15"].includes(day.toString()),
    ),
    moments: [
      ["2026-01-06T10:59", "fresh"],
      ["2026-01-06T11:01", "awaiting_update"],
      ["2026-01-06T14:30", "fresh"], // came at 13:30, seen within the hour
      ["2026-01-09T15:00", "fresh"],
      ["2026-01-11T12:00", "fresh"], // a Sunday
      ["2026-01-12T10:59", "fresh"],
      ["2026-01-12T11:01", "awaiting_update"],
      ["2026-02-03T20:59", "awaiting_update"], // a Tuesday on which nothing came
      ["2026-02-03T21:01", "stale"],
      ["2026-02-04T13:29", "stale"],
      ["2026-02-04T14:30", "fresh"],
      ["2026-02-13T15:00", "fresh"],
      ["2026-02-16T22:00", "fresh"], // a holiday on a Monday
      ["2026-02-17T11:01", "awaiting_update"],
      ["2026-02-17T14:30", "fresh"],
      ["2026-03-09T09:59", "fresh"], // summer: an hour earlier
      ["2026-03-09T10:01", "awaiting_update"],
      ["2026-07-03T23:00", "fresh"], // a holiday on a Friday
      ["2026-07-06T09:59", "fresh"],
      ["2026-07-06T10:01", "awaiting_update"],
      ["2026-07-06T13:30", "fresh"],
      ["2026-09-15T20:01", "stale"],
      ["2026-09-16T13:30", "fresh"],
      ["2026-11-26T23:00", "fresh"],
      ["2026-11-27T11:01", "awaiting_update"],
      ["2026-11-27T14:30", "fresh"],
    ],
  },
  {
    about: "half-hour daylight saving, Lord Howe",
    start: "2026-03-20T20:00",
    // 02:15 is 15:15 UTC the day before in summer, 15:45 in winter; two hours and one between readings
    refresh: {
      ...{ every: "P1D", anchor: "2026-03-21T02:15", time_zone: "Australia/Lord_Howe" },
      ...{ expected_by: "PT1H", grace: "PT1H" },
    },
    changes: days("Australia/Lord_Howe", "2026-03-22", "02:40", (day) => day.toString() !== "2026-10-05"),
    moments: [
      ["2026-03-21T15:14", "fresh"],
      ["2026-03-21T15:16", "awaiting_update"],
      ["2026-03-21T16:40", "fresh"],
      ["2026-04-03T15:16", "awaiting_update"],
      ["2026-04-03T16:40", "fresh"],
      ["2026-04-04T15:44", "fresh"], // clocks went back by half an hour
      ["2026-04-04T15:46", "awaiting_update"],
      ["2026-04-04T17:10", "fresh"],
      ["2026-10-02T15:46", "awaiting_update"],
      ["2026-10-03T15:44", "fresh"], // 02:15 does not exist: it is 02:45
      ["2026-10-03T15:46", "awaiting_update"],
      ["2026-10-03T17:00", "fresh"],
      ["2026-10-04T15:14", "fresh"],
      ["2026-10-04T15:16", "awaiting_update"],
      ["2026-10-04T18:14", "awaiting_update"], // nothing came
      ["2026-10-04T18:16", "stale"],
      ["2026-10-05T16:40", "fresh"],
    ],
  },
  {
    about: "learned: weekly, then monthly, UTC",
    start: "2026-01-01T12:00",
    refresh: { every: "P1D", anchor: "2026-01-01T00:00" },
    changes: days("UTC", "2026-01-05", "00:00", (day) =>
      day.toString() < "2026-07-01" ? day.dayOfWeek === 1 : day.day === 1 && day.toString() > "2026-07-01",
    ),
    moments: [
      ["2026-01-20T12:00", "not_enough_history"],
      ["2026-02-08T12:00", "not_enough_history"], // five changes, four intervals
      ["2026-02-09T12:00", "fresh"], // the sixth: five intervals of a week
      ["2026-03-15T12:00", "fresh"],
      ["2026-03-16T12:00", "fresh"],
      ["2026-06-29T12:00", "fresh"],
      ["2026-07-05T12:00", "fresh"],
      ["2026-07-07T12:00", "awaiting_update"], // until two days after Monday: grace, and one between readings
      ["2026-07-09T12:00", "stale"],
      ["2026-07-31T12:00", "stale"],
      ["2026-11-01T12:00", "not_enough_history"], // four intervals of a month: the weeks are forgotten
    ],
  },
  {
    about: "an outage of a month and a sleep of a week, Kolkata",
    start: "2026-01-12T12:00",
    // Mondays at 10:00 are 04:30 UTC; until 22:00, a day of grace and three hours between readings
    refresh: { every: "P7D", anchor: "2026-01-12T10:00", time_zone: "Asia/Kolkata", expected_by: "PT12H" },
    changes: days("Asia/Kolkata", "2026-01-19", "11:00", (day) => day.dayOfWeek === 1),
    fails: [
      ["2026-01-27T00:00", "2026-01-28T00:00"],
      ["2026-03-01T00:00", "2026-04-01T00:00"],
    ],
    sleeps: [
      ["2026-02-05T00:00", "2026-02-12T00:00"],
      ["2026-05-10T00:00", "2026-05-17T00:00"],
    ],
    moments: [
      ["2026-01-19T04:29", "fresh"],
      ["2026-01-19T04:31", "awaiting_update"],
      ["2026-01-19T08:00", "fresh"],
      ["2026-01-26T08:00", "fresh"],
      ["2026-01-27T23:00", "source_unhealthy"], // read once that day, then after 5, 15 and 60 minutes
      ["2026-01-28T12:00", "fresh"],
      ["2026-02-04T12:00", "fresh"],
      ["2026-02-07T12:00", "observation_overdue"], // read daily, and not for two days
      ["2026-02-11T23:59", "observation_overdue"],
      ["2026-02-12T00:01", "fresh"], // the change of Monday is seen, late
      ["2026-02-23T08:00", "fresh"],
      ["2026-03-01T12:00", "source_unhealthy"],
      ["2026-03-31T12:00", "source_unhealthy"],
      ["2026-04-02T12:00", "fresh"],
      ["2026-04-06T08:00", "fresh"],
      ["2026-05-12T12:00", "observation_overdue"],
      ["2026-05-17T00:01", "fresh"],
      ["2026-05-18T04:31", "awaiting_update"],
      ["2026-05-18T08:00", "fresh"],
      ["2027-02-01T08:00", "fresh"],
    ],
  },
];
