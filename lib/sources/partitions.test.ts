import { expect, test } from "vitest";
import type { Template } from "@/lib/schemas/recipe-source";
import { partitionsOf } from "./partitions";

const template = (url: string, partition: Template["partition"]) =>
  ({ url, partition, missing: "fail", reread: 2 }) as Template;
const names = (url: string, partition: Template["partition"], today = "2026-11-21") =>
  partitionsOf(template(url, partition), today, 500).map(({ name, url: address }) => `${name} ${address}`);

test.each([
  ["year", { by: "year", from: "2024", to: "now" }, "{year}", ["2024 2024", "2025 2025", "2026 2026"]],
  [
    "month, over a year's end",
    { by: "month", from: "2025-11", to: "2026-01" },
    "{year}/{month}",
    ["2025-11 2025/11", "2025-12 2025/12", "2026-01 2026/01"],
  ],
  [
    "quarter, from within one",
    { by: "quarter", from: "2025-11-05", to: "2026-02" },
    "{year}q{quarter}",
    ["2025-Q4 2025q4", "2026-Q1 2026q1"],
  ],
  [
    "week, of ISO 8601",
    { by: "week", from: "2026-12-30", to: "2027-01-05" },
    "{date:%G-W%V}",
    ["2026-W53 2026-W53", "2027-W01 2027-W01"],
  ],
  [
    "week, with the year that it belongs to",
    { by: "week", from: "2019-12-23", to: "2020-01-06" },
    "{year}-{week}",
    ["2019-W52 2019-52", "2020-W01 2020-01", "2020-W02 2020-02"],
  ],
  [
    "week, by its first day",
    { by: "week", from: "2020-01-01", to: "2020-01-01" },
    "{year}{month}{day}",
    ["2020-W01 20191230"],
  ],
  [
    "day",
    { by: "day", from: "2028-02-28", to: "2028-03-01" },
    "{date:%Y%m%d}/{date:%j}",
    ["2028-02-28 20280228/059", "2028-02-29 20280229/060", "2028-03-01 20280301/061"],
  ],
  ["number", { by: "number", from: 9, to: 10 }, "{value}.csv", ["9 9.csv", "10 10.csv"]],
  [
    "list, as parts of an address",
    { by: "list", values: ["a b", "ä/x"] },
    "{value}?{other}",
    ["a b a%20b?{other}", "ä/x %C3%A4%2Fx?{other}"],
  ],
  ["years before 1000", { by: "year", from: "0099", to: "0100" }, "{date:%Y-%j}", ["0099 0099-001", "0100 0100-001"]],
  ["weeks before 1000", { by: "week", from: "0050-01-03", to: "0050-01-03" }, "{date:%G-W%V}", ["0050-W01 0050-W01"]],
  ["nothing after its end", { by: "year", from: "2027", to: "now" }, "{year}", []],
] as const)("%s", (_name, partition, url, expected) => {
  expect(names(url, partition as Template["partition"])).toEqual(expected);
});
