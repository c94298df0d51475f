import { expect } from "@playwright/test";
import { BUCKET_QUESTIONS } from "./bucket-questions";
import { CONDITION_QUESTIONS } from "./condition-questions";
import { GRAMMAR_QUESTIONS } from "./grammar-questions";

/** A person's question, the one call that answers it, and its rows, computed from the sources' own files. */
export interface OneCallQuestion {
  ask: string;
  args: { table_id: string } & Record<string, unknown>;
  status: unknown;
  /** The first rows. */
  rows: readonly unknown[][];
  /** The codes of its notes, if they matter. */
  notes?: readonly string[];
  /** A part of what they say. */
  says?: string;
}

const is = (column: string, value: unknown) => ({ column, operator: "eq", value });
const count = { function: "count", as: "n" };
const most = (column: string) => [{ column, direction: "desc" }];
const supportedBy = (browser: string) => ({
  function: "count",
  as: browser,
  filters: [is("browser", browser), is("supported", true)],
});

export const ONE_CALL_QUESTIONS: readonly OneCallQuestion[] = [
  ...BUCKET_QUESTIONS,
  ...CONDITION_QUESTIONS,
  ...GRAMMAR_QUESTIONS,
  {
    ask: "How many flights were there in each month?",
    args: {
      table_id: "us-flights-2001",
      group_by: [{ column: "date", bucket: "month", as: "month" }],
      aggregates: [count],
      order_by: [{ column: "month" }],
    },
    status: "COMPLETE: 7 groups",
    rows: [
      ["2001-01-01", 508_239],
      ["2001-02-01", 458_170],
      ["2001-03-01", 511_502],
      ["2001-04-01", 501_030],
      ["2001-05-01", 518_831],
      ["2001-06-01", 502_222],
      ["2001-07-01", 6],
    ],
  },
  {
    ask: "Which was the busiest day?",
    args: {
      table_id: "us-flights-2001/flights",
      group_by: [{ column: "date", bucket: "day", as: "day" }],
      aggregates: [count],
      order_by: most("n"),
      limit: 1,
    },
    status: "TOP 1 of 182 groups",
    rows: [["2001-06-29", 17_548]],
  },
  {
    ask: "In which hour of the day are flights delayed most?",
    args: {
      table_id: "us-flights-2001",
      group_by: [{ column: "date", bucket: "hour_of_day", as: "hour" }],
      aggregates: [{ function: "avg", column: "delay", as: "delay" }],
      order_by: most("delay"),
      limit: 1,
    },
    status: "TOP 1 of 24 groups",
    rows: [[3, expect.closeTo(105.884, 3)]],
  },
  {
    ask: "Which was the wettest month in Seattle?",
    args: {
      table_id: "daily-weather",
      filters: [is("location", "Seattle")],
      group_by: [{ column: "date", bucket: "month", as: "month" }],
      aggregates: [{ function: "sum", column: "precipitation", as: "mm" }],
      order_by: most("mm"),
      limit: 1,
    },
    status: "TOP 1 of 48 groups",
    rows: [["2015-12-01", expect.closeTo(284.5)]],
  },
  {
    ask: "How many licences mention patents, in whatever case?",
    args: {
      table_id: "spdx-licenses",
      filters: [{ column: "license_text", operator: "contains", value: "patent", ignore_case: true }],
      aggregates: [count],
    },
    status: "COMPLETE: 1 group",
    rows: [[214]],
  },
  {
    ask: "Which features of CSS does Chrome support and Safari not?",
    args: {
      table_id: "browser-compatibility/support",
      filters: [is("category", "css"), { column: "browser", operator: "in", value: ["chrome", "safari"] }],
      group_by: ["feature"],
      aggregates: [supportedBy("chrome"), supportedBy("safari")],
      having: [{ column: "chrome", operator: "gt", value: 0 }, is("safari", 0)],
      order_by: [{ column: "feature" }],
      limit: 3,
    },
    status: "TOP 3 of 528 groups",
    rows: [["css.at-rules.container.anchor_position_queries", 1, 0]],
  },
];
