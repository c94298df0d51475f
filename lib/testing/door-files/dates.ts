import {
  asked,
  both,
  type DoorFile,
  date,
  lines,
  mustBe,
  number,
  read,
  type Said,
  text,
  time,
  timestamp,
} from "./door-file";

/** One column beside a column of numbers, at both doors the same. */
const column = (name: string, said: Said): DoorFile => ({
  name,
  file: "d.csv",
  bytes: lines("n;t", ...said.cells.map((cell, at) => `${at};${cell}`)),
  ...both(read([number("n", ...said.cells.map((_, at) => `${at}`)), said])),
});

/** Cells that are not points in time, and keep every character. */
const notATime = (name: string, ...cells: string[]): DoorFile => column(name, text("t", ...cells));

const IMPOSSIBLE: readonly DoorFile[] = [
  notATime("offsets of 75 and 99 minutes", "2024-01-05T10:00:00+02:75", "2024-01-05T10:00:00-00:99"),
  notATime("an offset of 25 hours", "2024-01-05T10:00:00+25:00", "2024-01-05T11:00:00+25:00"),
  notATime("an offset of 75 minutes without a colon", "2024-01-05T10:00:00+0275", "2024-01-05T11:00:00+0275"),
  notATime(
    "one wrong offset among right ones",
    "2024-01-05T10:00:00+02:00",
    "2024-01-05T11:00:00+02:00",
    "2024-01-05T12:00:00+02:75",
  ),
  notATime("30 February", "2024-02-30", "2024-01-05"),
  notATime("29 February of a common year", "2023-02-29", "2024-02-29"),
  notATime("29 February 1900", "1900-02-29", "1904-02-29"),
  notATime("31 April in German", "31.04.2024", "30.04.2024"),
  notATime("month 13 on both sides", "13/13/2024", "14/14/2024"),
  notATime("24 o'clock", "2024-01-05T24:00:00", "2024-01-06T10:00:00"),
  notATime("second 60", "2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
  notATime("minute 60", "2024-01-05 10:60:00", "2024-01-05 11:00:00"),
  notATime("the year 0", "0000-01-01", "2024-01-01"),
  notATime("years of five digits", "12024-01-01", "12025-01-01"),
  notATime("placeholder day 00", "2024-01-00", "2024-02-00"),
  notATime("weeks", "2024-W01", "2024-W02"),
  notATime("quarters", "2024-Q1", "2024-Q2"),
  notATime("months", "2024-01", "2024-02"),
  notATime("seasons of two years", "2023/24", "2024/25"),
];

const DECIDED: readonly DoorFile[] = [
  column("ISO dates", date("t", "2024-01-05", "2024-12-31")),
  column("German dates", date("t", "05.01.2024=2024-01-05", "31.12.2024=2024-12-31")),
  column("German dates without zeros", date("t", "5.1.2024=2024-01-05", "31.12.2024=2024-12-31")),
  column("British dates, decided by a day beyond 12", date("t", "05/01/2024=2024-01-05", "31/12/2024=2024-12-31")),
  column("American dates, decided by a day beyond 12", date("t", "01/05/2024=2024-01-05", "12/31/2024=2024-12-31")),
  column("dates with slashes, year first", date("t", "2024/01/05=2024-01-05", "2024/12/31=2024-12-31")),
  column("Dutch dates with dashes", date("t", "05-01-2024=2024-01-05", "31-12-2024=2024-12-31")),
  column("Japanese dates", date("t", "2024年1月5日=2024-01-05", "2024年12月31日=2024-12-31")),
  column("Hungarian dates", date("t", "2024. 01. 05.=2024-01-05", "2024. 12. 31.=2024-12-31")),
  column("dates with English months", date("t", "5 Jan 2024=2024-01-05", "31 Dec 2024=2024-12-31")),
  column("dates of eight digits beside other numbers", text("t", "20240105", "20241231", "n.d.")),
  column("far dates", date("t", "0001-01-01", "9999-12-31")),
  column("dates before 1900", date("t", "1582-10-15", "1899-12-31", "1752-09-02")),
];

const iso = (...cells: string[]): Said => timestamp("t", ...cells);

const TIMES: readonly DoorFile[] = [
  column(
    "ISO times with .000Z",
    mustBe(iso("2026-01-01T00:00:00.000Z=2026-01-01 00:00:00", "2026-01-01T01:00:00.000Z=2026-01-01 01:00:00")),
  ),
  column(
    "ISO times with milliseconds",
    mustBe(iso("2026-01-01T00:00:00.125Z=2026-01-01 00:00:00.125", "2026-01-01T01:00:00.250Z=2026-01-01 01:00:00.25")),
  ),
  column(
    "ISO times with microseconds",
    iso(
      "2026-01-01T00:00:00.123456Z=2026-01-01 00:00:00.123456",
      "2026-01-01T01:00:00.000001Z=2026-01-01 01:00:00.000001",
    ),
  ),
  column(
    "ISO times with nanoseconds",
    iso(
      "2026-01-01T00:00:00.123456789Z=2026-01-01 00:00:00.123456789",
      "2026-01-01T01:00:00.000000001Z=2026-01-01 01:00:00.000000001",
    ),
  ),
  column(
    "ISO times with offsets",
    iso("2026-01-01T00:00:00+02:00=2025-12-31 22:00:00", "2026-01-01T01:00:00-05:30=2026-01-01 06:30:00"),
  ),
  column(
    "ISO times without a zone",
    iso("2026-01-01T00:00:00=2026-01-01 00:00:00", "2026-01-01T01:30:00=2026-01-01 01:30:00"),
  ),
  column(
    "ISO times with a space",
    iso("2026-01-01 00:00:00=2026-01-01 00:00:00", "2026-01-01 01:30:00=2026-01-01 01:30:00"),
  ),
  column(
    "ISO times without seconds",
    iso("2026-01-01 10:30=2026-01-01 10:30:00", "2026-01-01 11:45=2026-01-01 11:45:00"),
  ),
  {
    name: "German times without seconds",
    file: "d.csv",
    bytes: lines("n;t", "0;01.10.2026 03:31", "1;31.10.2026 04:32"),
    publish: [read([number("n", "0", "1"), text("t", "01.10.2026 03:31", "31.10.2026 04:32")])],
    recipe: [
      read([
        number("n", "0", "1"),
        mustBe(iso("01.10.2026 03:31=2026-10-01 03:31:00", "31.10.2026 04:32=2026-10-31 04:32:00")),
      ]),
    ],
  },
  column(
    "German times with seconds",
    iso("01.10.2026 03:31:05=2026-10-01 03:31:05", "31.10.2026 04:32:06=2026-10-31 04:32:06"),
  ),
  column("American times", iso("10/31/2026 3:31 PM=2026-10-31 15:31:00", "11/01/2026 4:00 AM=2026-11-01 04:00:00")),
  column("times of day", time("t", "10:30:00", "23:59:59")),
  column("times of day without seconds", time("t", "10:30=10:30:00", "23:59=23:59:00")),
  column("durations of more than a day", text("t", "36:00:00", "12:00:00")),
  column("times with and without a zone", text("t", "2026-01-01T00:00:00", "2026-01-01T00:00:00+02:00", "2026-01-02")),
  column("dates, one of which has a time", text("t", "2026-01-01", "2026-01-02 10:00:00", "2026-01-03")),
  column("seconds since 1970", number("t", "1767225600", "1767229200")),
];

/** No cell tells day from month. */
function ambiguous(name: string, cells: readonly string[]): DoorFile {
  const all = read([number("n", ...cells.map((_, at) => `${at}`)), text("t", ...cells)]);
  return {
    name,
    file: "d.csv",
    bytes: lines("n;t", ...cells.map((cell, at) => `${at};${cell}`)),
    publish: [all],
    recipe: [asked(/"t".*(?:day|month)/i)],
  };
}

const AMBIGUOUS: readonly DoorFile[] = [
  ambiguous("slashes, every day at most 12", ["05/01/2024", "06/02/2024", "07/03/2024"]),
  ambiguous("slashes, every day the same as the month", ["01/01/2024", "02/02/2024", "03/03/2024"]),
  {
    name: "dashes, every day at most 12",
    file: "d.csv",
    bytes: lines("n;t", "0;05-01-2024", "1;06-02-2024"),
    publish: [read([number("n", "0", "1"), text("t", "05-01-2024", "06-02-2024")])],
    recipe: [asked(/"t"/), read([number("n", "0", "1"), text("t", "05-01-2024", "06-02-2024")])],
  },
  {
    name: "years of two digits",
    file: "d.csv",
    bytes: lines("n;t", "0;31.12.24", "1;30.11.68", "2;29.10.70"),
    publish: [read([number("n", "0", "1", "2"), text("t", "31.12.24", "30.11.68", "29.10.70")])],
    recipe: [read([number("n", "0", "1", "2"), text("t", "31.12.24", "30.11.68", "29.10.70")]), asked(/"t"/)],
  },
  {
    name: "both orders in one column",
    file: "d.csv",
    bytes: lines("n;t", "0;31/12/2024", "1;12/31/2024", "2;05/06/2024"),
    ...both(read([number("n", "0", "1", "2"), text("t", "31/12/2024", "12/31/2024", "05/06/2024")])),
  },
];

const SIXTY = Array.from({ length: 60 }, (_, at) => `2024-${String((at % 12) + 1).padStart(2, "0")}-15`);

const STRANGERS: readonly DoorFile[] = ["2024-02-30", "unknown", "15.01.2024"].map((odd): DoorFile => {
  const cells = [...SIXTY.slice(0, 59), odd];
  const rows = cells.map((_, at) => `${at}`);
  return {
    name: `${odd} as the last of sixty dates`,
    file: "d.csv",
    bytes: lines("n,t", ...cells.map((cell, at) => `${at},${cell}`)),
    publish: [read([number("n", ...rows), text("t", ...cells)])],
    recipe: [
      read([number("n", ...rows), text("t", ...cells)]),
      asked(new RegExp(odd.replaceAll(".", "\\.")), [
        number("n", ...rows),
        date("t", ...SIXTY.slice(0, 59), `${odd}=`),
      ]),
    ],
  };
});

/** Dates and times. */
export const DATE_FILES: readonly DoorFile[] = [...IMPOSSIBLE, ...DECIDED, ...TIMES, ...AMBIGUOUS, ...STRANGERS];
