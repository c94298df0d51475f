import { expect } from "@playwright/test";
import type { OneCallQuestion } from "./one-call-questions";

const is = (column: string, value: unknown) => ({ column, operator: "eq", value });
const count = { function: "count", as: "n" };
const most = (column: string) => [{ column, direction: "desc" }];
const by = (column: string, bucket: string) => [{ column, bucket, as: "when" }];
const inTime = [{ column: "when" }];
const near = (value: number) => expect.closeTo(value, 3);

const flights = { table_id: "us-flights-2001", aggregates: [count] };
const strikes = { table_id: "bird-strikes", aggregates: [count] };
const weather = { table_id: "daily-weather" };
const co2 = { table_id: "mauna-loa-co2" };
const quakes = { table_id: "earthquakes-2018", aggregates: [count] };

/** Questions about times and about ranges of numbers. */
export const BUCKET_QUESTIONS: readonly OneCallQuestion[] = [
  {
    ask: "On which day of the week are there most flights, and on which fewest?",
    args: { ...flights, group_by: by("date", "day_of_week"), order_by: most("n") },
    status: "COMPLETE: 7 groups",
    rows: [
      [4, 443_373],
      [5, 442_673],
      [3, 440_949],
      [2, 439_997],
      [1, 436_543],
      [7, 406_140],
      [6, 390_325],
    ],
  },
  {
    ask: "How many flights were there in each quarter?",
    args: { ...flights, group_by: by("date", "quarter"), order_by: inTime },
    status: "COMPLETE: 3 groups",
    rows: [
      ["2001-01-01", 1_477_911],
      ["2001-04-01", 1_522_083],
      ["2001-07-01", 6],
    ],
  },
  {
    ask: "Which week had most flights?",
    args: { ...flights, group_by: by("date", "week"), order_by: most("n"), limit: 1 },
    status: "TOP 1 of 26 groups",
    rows: [["2001-04-23", 118_093]],
  },
  {
    ask: "How many flights left more than an hour late, month by month?",
    args: {
      table_id: "us-flights-2001",
      group_by: by("date", "month"),
      aggregates: [{ ...count, filters: [{ column: "delay", operator: "gt", value: 60 }] }],
      order_by: inTime,
      limit: 6,
    },
    status: "TOP 6 of 7 groups",
    rows: [24_349, 27_867, 26_672, 22_313, 18_880, 32_112].map((n, at) => [`2001-0${at + 1}-01`, n]),
  },
  {
    ask: "How many flights are shorter than 500 miles, how many between 500 and 1,000?",
    args: {
      ...flights,
      group_by: [{ column: "distance", width: 500, as: "from" }],
      order_by: [{ column: "from" }],
      limit: 2,
    },
    status: "TOP 2 of 10 groups",
    rows: [
      [0, 1_363_088],
      [500, 920_329],
    ],
  },
  {
    ask: "In which year were most strikes reported?",
    args: { ...strikes, group_by: by("Flight Date", "year"), order_by: most("n"), limit: 3 },
    status: "TOP 3 of 13 groups",
    rows: [
      ["2001-01-01", 1095],
      ["2000-01-01", 1065],
      ["1999-01-01", 941],
    ],
  },
  {
    ask: "In which month of the year are aircraft struck most?",
    args: { ...strikes, group_by: by("Flight Date", "month_of_year"), order_by: most("n"), limit: 2 },
    status: "TOP 2 of 12 groups",
    rows: [
      [10, 1352],
      [9, 1330],
    ],
  },
  {
    ask: "Which year's repairs cost most?",
    args: {
      table_id: "bird-strikes",
      group_by: by("Flight Date", "year"),
      aggregates: [{ function: "sum", column: "Cost Repair", as: "cost" }],
      order_by: most("cost"),
      limit: 1,
    },
    status: "TOP 1 of 13 groups",
    rows: [["1998-01-01", 7_991_308]],
  },
  {
    ask: "On how many days a year did it rain in Seattle?",
    args: {
      ...weather,
      filters: [is("location", "Seattle"), { column: "precipitation", operator: "gt", value: 0 }],
      group_by: by("date", "year"),
      aggregates: [count],
      order_by: inTime,
    },
    status: "COMPLETE: 4 groups",
    rows: [
      ["2012-01-01", 177],
      ["2013-01-01", 152],
      ["2014-01-01", 150],
      ["2015-01-01", 144],
    ],
  },
  {
    ask: "Which was New York's warmest month?",
    args: {
      ...weather,
      filters: [is("location", "New York")],
      group_by: by("date", "month"),
      aggregates: [{ function: "avg", column: "temp_max", as: "mean" }],
      order_by: most("mean"),
      limit: 1,
    },
    status: "TOP 1 of 48 groups",
    rows: [["2013-07-01", near(30.294)]],
  },
  {
    ask: "Which month of the year is Seattle's driest?",
    args: {
      ...weather,
      filters: [is("location", "Seattle")],
      group_by: by("date", "month_of_year"),
      aggregates: [{ function: "sum", column: "precipitation", as: "mm" }],
      order_by: [{ column: "mm" }],
      limit: 1,
    },
    status: "TOP 1 of 12 groups",
    rows: [[7, near(48.2)]],
  },
  {
    ask: "What were the mean, the highest and the lowest CO2 of 1960?",
    args: {
      ...co2,
      filters: [{ column: "Date", operator: "between", value: ["1960-01-01", "1960-12-31"] }],
      aggregates: ["avg", "max", "min"].map((name) => ({ function: name, column: "CO2", as: name })),
    },
    status: "COMPLETE: 1 group",
    rows: [[near(316.909), near(320.04), near(313.83)]],
  },
  {
    ask: "In which month of the year is CO2 highest?",
    args: {
      ...co2,
      group_by: by("Date", "month_of_year"),
      aggregates: [{ function: "avg", column: "CO2", as: "mean" }],
      order_by: most("mean"),
      limit: 1,
    },
    status: "TOP 1 of 12 groups",
    rows: [[4, near(358.419)]],
  },
  {
    ask: "How many earthquakes were there each day?",
    args: { ...quakes, group_by: by("time", "day"), order_by: inTime },
    status: "COMPLETE: 8 groups",
    rows: [198, 231, 242, 259, 301, 249, 213, 14].map((n, at) => [at === 0 ? "2018-01-31" : `2018-02-0${at}`, n]),
  },
  {
    ask: "At which hour of the day, in UTC, were most of them?",
    args: { ...quakes, group_by: by("time", "hour_of_day"), order_by: most("n"), limit: 1 },
    status: "TOP 1 of 24 groups",
    rows: [[22, 89]],
  },
  {
    ask: "How many earthquakes are there of each whole magnitude?",
    args: {
      ...quakes,
      filters: [{ column: "mag", operator: "is_not_null" }],
      group_by: [{ column: "mag", width: 1, as: "from" }],
      order_by: [{ column: "from" }],
    },
    status: "COMPLETE: 8 groups",
    rows: [44, 667, 550, 229, 89, 89, 34, 5].map((n, at) => [at - 1, n]),
  },
  {
    ask: "How many penguins weigh 3 to 4 kg, how many 4 to 5?",
    args: {
      table_id: "palmer-penguins",
      filters: [{ column: "Body Mass (g)", operator: "is_not_null" }],
      group_by: [{ column: "Body Mass (g)", width: 1000, as: "from" }],
      aggregates: [count],
      order_by: [{ column: "from" }],
    },
    status: "COMPLETE: 5 groups",
    rows: [
      [2000, 9],
      [3000, 156],
      [4000, 110],
      [5000, 63],
      [6000, 4],
    ],
  },
];
