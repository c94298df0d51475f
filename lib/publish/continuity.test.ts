import { join } from "node:path";
import { expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Change } from "@/lib/schemas/table";
import { useTestState } from "@/lib/testing/database";
import { continuityBetween } from "./continuity";
import { withWorkbench } from "./workbench";

useTestState();

/** Rows of an id, a day and a value. */
const dated = (days: string, value = "1") =>
  `SELECT row_number() OVER (ORDER BY d) AS id, d::DATE AS day, ${value} AS value FROM (${days})`;
const daily = (from: string, to: string) =>
  `SELECT unnest(generate_series(DATE '${from}', DATE '${to}', INTERVAL 1 DAY)) AS d`;
const working = (from: string, to: string) => `SELECT d FROM (${daily(from, to)}) WHERE isodow(d) < 6`;
const monthly = (from: string, to: string) =>
  `SELECT unnest(generate_series(DATE '${from}', DATE '${to}', INTERVAL 1 MONTH)) AS d`;
const ids = (from: number, to: number) => `SELECT range AS id, 1 AS value FROM range(${from}, ${to + 1})`;

interface Case {
  before: string;
  after: string;
  change: Change;
  key?: string[];
  time?: string;
}

function between({ before, after, change, key = [], time }: Case): Promise<string> {
  return withWorkbench(async (bench) => {
    const write = async (name: string, sql: string) => {
      const path = join(bench.folder, `${name}.parquet`);
      await bench.run(`COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet)`);
      const [row] = await bench.rows(`SELECT count(*)::VARCHAR FROM read_parquet(${quoteLiteral(path)})`);
      return { path, rows: Number(row?.[0]), primaryKey: key };
    };
    const releases = [await write("before", before), await write("after", after)] as const;
    return await continuityBetween(bench, ...releases, { change, timeColumn: time });
  });
}

const JANUARY = dated(daily("2026-01-01", "2026-01-31"));

test.each<[string, Case, string]>([
  ["other columns", { before: ids(1, 9), after: ids(1, 9), change: "columns_added" }, "schema_changed"],
  ["removed columns", { before: ids(1, 9), after: ids(1, 2), change: "breaking" }, "schema_changed"],
  ["only notes changed", { before: ids(1, 9), after: ids(1, 9), change: "metadata" }, "continuous"],
  ["appended without times", { before: ids(1, 9), after: ids(1, 12), change: "appended" }, "continuous"],
  ["changed without times", { before: ids(1, 100), after: ids(1, 100), change: "restated" }, "restated"],
  ["5 of 100 gone", { before: ids(1, 100), after: ids(6, 100), change: "restated", key: ["id"] }, "restated"],
  ["6 of 100 gone", { before: ids(1, 100), after: ids(7, 100), change: "restated", key: ["id"] }, "truncated"],
  [
    "6 of 100 rows replaced, by key",
    { before: ids(1, 100), after: ids(7, 106), change: "restated", key: ["id"] },
    "truncated",
  ],
  ["replaced rows, without a key", { before: ids(1, 100), after: ids(7, 106), change: "restated" }, "restated"],
  [
    "the last day is gone",
    { before: JANUARY, after: dated(daily("2026-01-01", "2026-01-30")), change: "restated", time: "day" },
    "truncated",
  ],
  [
    "the first day is gone, and one is added",
    { before: JANUARY, after: dated(daily("2026-01-02", "2026-02-01")), change: "restated", time: "day" },
    "restated",
  ],
  [
    "the next day",
    { before: JANUARY, after: dated(daily("2026-01-01", "2026-02-01")), change: "appended", time: "day" },
    "continuous",
  ],
  [
    "a day is missing",
    {
      before: JANUARY,
      after: dated(`${daily("2026-01-01", "2026-01-31")} UNION ALL ${daily("2026-02-02", "2026-02-03")}`),
      change: "appended",
      time: "day",
    },
    "gap",
  ],
  [
    "a weekend in data that never come on weekends",
    {
      before: dated(working("2026-01-01", "2026-01-30")),
      after: dated(working("2026-01-01", "2026-02-02")),
      change: "appended",
      time: "day",
    },
    "continuous",
  ],
  [
    "a missing Monday in such data",
    {
      before: dated(working("2026-01-01", "2026-01-30")),
      after: dated(`${working("2026-01-01", "2026-01-30")} UNION ALL ${daily("2026-02-03", "2026-02-03")}`),
      change: "appended",
      time: "day",
    },
    "gap",
  ],
  [
    "the next month, a day longer",
    {
      before: dated(monthly("2026-01-01", "2026-06-01")),
      after: dated(monthly("2026-01-01", "2026-07-01")),
      change: "appended",
      time: "day",
    },
    "continuous",
  ],
  [
    "only late rows before the end",
    {
      before: JANUARY,
      after: dated(`${daily("2026-01-01", "2026-01-31")} UNION ALL SELECT DATE '2025-12-31' AS d`),
      change: "appended",
      time: "day",
    },
    "restated",
  ],
  [
    "the first times of a release that had none",
    { before: dated("SELECT NULL::DATE AS d"), after: JANUARY, change: "appended", time: "day" },
    "continuous",
  ],
])("%s", async (_, given, continuity) => {
  expect(await between(given)).toBe(continuity);
});
