import { expect } from "@playwright/test";
import type { OneCallQuestion } from "./one-call-questions";

const is = (column: string, value: unknown) => ({ column, operator: "eq", value });
const contains = (column: string, value: string) => ({ column, operator: "contains", value, ignore_case: true });
const count = { function: "count", as: "n" };
const counted = (as: string, ...filters: readonly object[]) => ({ function: "count", as, filters });
const most = (column: string) => [{ column, direction: "desc" }];
const near = (value: number) => expect.closeTo(value, 3);

/** Questions with conditions on groups, several figures at once, words in any case, or a table's other name. */
export const CONDITION_QUESTIONS: readonly OneCallQuestion[] = [
  {
    ask: "Which four routes have most flights?",
    args: {
      table_id: "us-flights-2001/flights",
      group_by: ["origin", "destination"],
      aggregates: [count],
      order_by: most("n"),
      limit: 4,
    },
    status: expect.stringMatching(/^TOP 4 of [\d,]+ groups$/),
    rows: [
      ["LAX", "LAS", 8323],
      ["LAS", "LAX", 8109],
      ["PHX", "LAX", 7717],
      ["LAX", "PHX", 7462],
    ],
  },
  {
    ask: "From which airports left more than 90,000 flights?",
    args: {
      table_id: "us-flights-2001",
      group_by: ["origin"],
      aggregates: [count],
      having: [{ column: "n", operator: "gt", value: 90_000 }],
      order_by: most("n"),
    },
    status: "COMPLETE: 5 groups",
    rows: [
      ["ORD", 166_341],
      ["DFW", 157_162],
      ["ATL", 124_711],
      ["LAX", 115_245],
      ["PHX", 93_036],
    ],
  },
  {
    ask: "Which share of bird strikes happened at night?",
    args: {
      table_id: "bird-strikes",
      aggregates: [{ function: "share", as: "night", filters: [is("Time of day", "Night")] }],
    },
    status: "COMPLETE: 1 group",
    rows: [[near(0.3363)]],
  },
  {
    ask: "How many strikes hit owls of whatever kind?",
    args: { table_id: "bird-strikes/strikes", filters: [contains("Wildlife Species", "owl")], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[115]],
  },
  {
    ask: "How many large and small animals were struck on approach and in climb?",
    args: {
      table_id: "bird-strikes",
      group_by: ["Phase of flight"],
      aggregates: [counted("large", is("Wildlife Size", "Large")), counted("small", is("Wildlife Size", "Small"))],
      order_by: most("large"),
      limit: 2,
    },
    status: expect.stringMatching(/^TOP 2 of \d+ groups$/),
    rows: [
      ["Approach", 343, 2247],
      ["Climb", 185, 879],
    ],
  },
  {
    ask: "Which states had more than 550 strikes?",
    args: {
      table_id: "bird-strikes",
      group_by: ["Origin State"],
      aggregates: [count],
      having: [{ column: "n", operator: "gt", value: 550 }],
      order_by: most("n"),
    },
    status: "COMPLETE: 4 groups",
    rows: [
      ["Texas", 1495],
      ["California", 890],
      ["Louisiana", 618],
      ["Tennessee", 569],
    ],
  },
  {
    ask: "On how many days was it 30 degrees and warmer in each city?",
    args: {
      table_id: "daily-weather",
      group_by: ["location"],
      aggregates: [counted("hot", { column: "temp_max", operator: "gte", value: 30 })],
      order_by: [{ column: "location" }],
    },
    status: "COMPLETE: 2 groups",
    rows: [
      ["New York", 122],
      ["Seattle", 63],
    ],
  },
  {
    ask: "On how many days did it snow?",
    args: { table_id: "daily-weather/days", filters: [is("weather", "snow")], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[119]],
  },
  {
    ask: "How many ZIP codes has the county of Los Angeles, however it is written?",
    args: {
      table_id: "us-zip-codes",
      filters: [{ ...is("county", "LOS ANGELES"), ignore_case: true }],
      aggregates: [count],
    },
    status: "COMPLETE: 1 group",
    rows: [[528]],
  },
  {
    ask: "In which states has Springfield most ZIP codes?",
    args: {
      table_id: "us-zip-codes/zip-codes",
      filters: [is("city", "Springfield")],
      group_by: ["state"],
      aggregates: [count],
      order_by: most("n"),
      limit: 3,
    },
    status: "TOP 3 of 24 groups",
    rows: [
      ["IL", 39],
      ["MA", 21],
      ["MO", 15],
    ],
  },
  {
    ask: "Which states have most counties with ZIP codes?",
    args: {
      table_id: "us-zip-codes",
      group_by: ["state"],
      aggregates: [{ function: "count_distinct", column: "county", as: "counties" }],
      order_by: most("counties"),
      limit: 2,
    },
    status: expect.stringMatching(/^TOP 2 of \d+ groups$/),
    rows: [
      ["TX", 254],
      ["GA", 159],
    ],
  },
  {
    ask: "Which species lives on which island, and how many of them?",
    args: {
      table_id: "palmer-penguins",
      group_by: ["Species", "Island"],
      aggregates: [count],
      order_by: [{ column: "Species" }, { column: "Island" }],
    },
    status: "COMPLETE: 5 groups",
    rows: [
      ["Adelie", "Biscoe", 44],
      ["Adelie", "Dream", 56],
      ["Adelie", "Torgersen", 52],
      ["Chinstrap", "Dream", 68],
      ["Gentoo", "Biscoe", 124],
    ],
  },
  {
    ask: "How heavy are males and females of each species on average?",
    args: {
      table_id: "palmer-penguins",
      group_by: ["Species"],
      aggregates: ["MALE", "FEMALE"].map((sex) => ({
        ...{ function: "avg", column: "Body Mass (g)", as: sex.toLowerCase() },
        filters: [is("Sex", sex)],
      })),
      order_by: [{ column: "Species" }],
    },
    status: "COMPLETE: 3 groups",
    rows: [
      ["Adelie", near(4043.493), near(3368.836)],
      ["Chinstrap", near(3938.971), near(3527.206)],
      ["Gentoo", near(5484.836), near(4679.741)],
    ],
  },
  {
    ask: "Nine of ten flippers are shorter than what?",
    args: {
      table_id: "palmer-penguins",
      aggregates: [{ function: "quantile", column: "Flipper Length (mm)", at: 0.9, as: "q" }],
    },
    status: "COMPLETE: 1 group",
    rows: [[near(220.9)]],
  },
  {
    ask: "How many of the earthquakes were in Alaska?",
    args: { table_id: "earthquakes-2018", filters: [contains("place", "alaska")], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[313]],
  },
  {
    ask: "Which two earthquakes were felt by most people?",
    args: {
      table_id: "earthquakes-2018/events",
      columns: ["place", "felt"],
      filters: [{ column: "felt", operator: "is_not_null" }],
      order_by: most("felt"),
      limit: 2,
    },
    status: expect.stringMatching(/^TOP 2 of \d+ rows$/),
    rows: [
      ["12km NNW of Friday Harbor, Washington", 935],
      ["35km S of Jarm, Afghanistan", 438],
    ],
  },
];
