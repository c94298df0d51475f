import { describe, expect, test } from "vitest";
import {
  formatAge,
  formatBinaryBytes,
  formatBytes,
  formatCount,
  formatDay,
  formatMeasure,
  formatPlural,
  formatSeconds,
  formatShare,
  formatUntil,
  formatUtc,
  groupDigits,
} from "./format";

describe("bytes are in decimal units with three significant digits", () => {
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1 kB"],
    [1_234_567, "1.23 MB"],
    [999_999, "1 MB"],
    [12_345_678_901, "12.3 GB"],
    [5e15, "5000 TB"],
  ])("%d → %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe("a duration has two significant digits, or its two largest units", () => {
  test.each([
    [0, "0.1 s"],
    [3.24, "3.2 s"],
    [42.4, "42 s"],
    [75, "1 min 15 s"],
    [7500, "2 h 5 min"],
    [3600, "1 h 0 min"],
  ])("%d → %s", (seconds, text) => expect(formatSeconds(seconds)).toBe(text));
});

describe("a share never rounds to 0 % or 100 %", () => {
  test.each([
    [0, "0%"],
    [0.00001, "<0.1%"],
    [0.1234, "12.3%"],
    [0.5, "50%"],
    [0.99999, ">99.9%"],
    [1, "100%"],
  ])("%d → %s", (share, text) => expect(formatShare(share)).toBe(text));
});

describe("age counts whole units of the largest that fits", () => {
  const now = new Date("2026-11-20T12:00:00.000Z");
  test.each([
    ["2026-11-20T11:59:30.000Z", "just now"],
    ["2026-11-20T12:30:00.000Z", "just now"],
    ["2026-11-20T11:59:00.000Z", "1 minute ago"],
    ["2026-11-20T09:00:00.000Z", "3 hours ago"],
    ["2026-11-18T12:00:00.000Z", "2 days ago"],
    ["2026-10-01T12:00:00.000Z", "1 month ago"],
    ["2020-09-22T00:00:00.000Z", "6 years ago"],
  ])("%s → %s", (iso, text) => expect(formatAge(iso, now)).toBe(text));
});

describe("measured numbers", () => {
  test.each([
    [0, "0"],
    [1234.5678, "1,234.6"],
    [3_000_000.7, "3,000,001"],
    [0.000012, "1.20e-5"],
    [Number.NaN, "NaN"],
    [-1116, "-1,116"],
  ])("%d → %s", (value, text) => expect(formatMeasure(value)).toBe(text));
});

test("digits are grouped exactly, beyond what a double holds", () => {
  expect(groupDigits("9007199254740993")).toBe("9,007,199,254,740,993");
  expect(groupDigits("-1234.5678")).toBe("-1,234.5678");
  expect(groupDigits("12")).toBe("12");
  expect(groupDigits("1e21")).toBe("1e21");
});

test("instants are shown in UTC, whatever the server's time zone", () => {
  expect(formatUtc("2026-11-20T23:54:46.123Z")).toBe("2026-11-20 23:54:46 UTC");
  expect(formatDay("2026-11-20T23:54:46.123Z")).toBe("20 Nov 2026");
});

test("counts have separators, and nouns agree in number", () => {
  expect(formatCount(3_000_000)).toBe("3,000,000");
  expect(formatPlural(1, "table")).toBe("1 table");
  expect(formatPlural(2204, "row")).toBe("2,204 rows");
});

test("limits in powers of two are written exactly", () => {
  expect(formatBinaryBytes(8 * 1024 * 1024)).toBe("8 MiB");
  expect(formatBinaryBytes(64 * 1024)).toBe("64 KiB");
  expect(formatBinaryBytes(1024 ** 3)).toBe("1 GiB");
  expect(formatBinaryBytes(1_000_000)).toBe("1,000,000 bytes");
});

test("future times are shown in whole units, and never as past times", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const until = (iso: string) => formatUntil(iso, now);
  expect([
    until("2026-11-27T11:00:00Z"),
    until("2026-11-22T12:00:00Z"),
    until("2026-11-21T12:00:30Z"),
    until("2026-11-20T12:00:00Z"),
  ]).toEqual(["in 5 days", "in 1 day", "in a moment", "in a moment"]);
});

test("irregular plurals are given explicitly", () =>
  expect([formatPlural(1, "query", "queries"), formatPlural(2000, "query", "queries")]).toEqual([
    "1 query",
    "2,000 queries",
  ]));
