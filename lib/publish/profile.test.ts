import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSource } from "@/lib/readers/containers/source-file";
import { planReading } from "@/lib/readers/typed/plan-reading";
import { profileSchema } from "@/lib/schemas/column";
import type { ColumnNote } from "@/lib/schemas/publish";
import { useTestState } from "@/lib/testing/database";
import { profileStage } from "./profile";
import { fillStage } from "./stage";
import { withWorkbench } from "./workbench";

const state = useTestState();

async function profileText(content: string, notes: ColumnNote[] = []): Promise<string> {
  const path = join(state.dataDir(), "profiled.csv");
  writeFileSync(path, content);
  return await withWorkbench(async (bench) => {
    const source = await openSource(path, undefined, bench.folder);
    return await profileStage(bench, await fillStage(bench, await planReading(bench, source, notes, { orderBy: [] })));
  });
}

/** The profile of the one column of these lines. */
async function profileOf(lines: readonly string[], type?: string): Promise<Record<string, unknown>> {
  const text = await profileText(`x\n${lines.join("\n")}\n`, type ? [{ name: "x", type }] : []);
  const profile = (JSON.parse(text) as Record<string, Record<string, unknown>>).x ?? {};
  expect(profileSchema.safeParse(profile).error).toBeUndefined();
  return profile;
}

test("integers: moments, quantiles, top values with ties by value, a bin for each", async () => {
  expect(await profileOf(["3", "1", "2", "", "2", "3"])).toEqual({
    null_count: 1,
    min: 1,
    max: 3,
    mean: 2.2,
    stddev: 0.8366600265340756,
    distinct_count: { value: 3, exact: true },
    top_values: [
      { value: 2, count: 2 },
      { value: 3, count: 2 },
      { value: 1, count: 1 },
    ],
    quantiles: { p05: 1, p25: 2, p50: 2, p75: 3, p95: 3 },
    histogram: { edges: [1, 2, 3, 4], counts: [1, 2, 2] },
  });
});

test("64-bit values keep every digit", async () => {
  const text = await profileText("x\n9007199254740993\n-9223372036854775808\n");
  expect(text).toContain('"min":-9223372036854775808,"max":9007199254740993');
  expect(text).toContain('{"value":9007199254740993,"count":1}');
});

test.each([
  ["all of 64 bits", ["-9223372036854775808", "0", "9223372036854775807"]],
  ["the largest", ["9223372036854775805", "9223372036854775806", "9223372036854775807"]],
  ["the smallest", ["-9223372036854775808", "-9223372036854775807", "-9223372036854775806"]],
  ["some of 63 bits", ["0", "7000000000000000000", "9000000000000000000"]],
])("a histogram of whole numbers over %s counts each of them once", async (_, numbers) => {
  const { histogram } = (await profileOf(numbers)) as { histogram: { counts: number[] } };
  expect(histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(3);
});

test("floats: NaN is only counted; infinities are excluded from mean and histogram", async () => {
  const profile = await profileOf(["1.5", "NaN", "2.5", "inf"]);
  expect(profile).toMatchObject({
    null_count: 0,
    nan_count: 1,
    min: 1.5,
    max: "Infinity",
    mean: 2,
    distinct_count: { value: 3, exact: true },
  });
  expect((profile.histogram as { counts: number[] }).counts.reduce((sum, count) => sum + count, 0)).toBe(2);
});

test("huge floats cause no overflow", async () => {
  const profile = await profileOf(["1e308", "-1e308", "1e308"]);
  expect(profile.max).toBe(1e308);
});

test("decimals, dates, timestamps, times, uuids, booleans", async () => {
  expect(await profileOf(["0.10", "0.30"], "decimal(10,2)")).toMatchObject({
    min: 0.1,
    max: 0.3,
    top_values: [
      { value: 0.1, count: 1 },
      { value: 0.3, count: 1 },
    ],
  });
  expect(await profileOf(["2024-01-31", "2024-02-01"])).toMatchObject({
    min: "2024-01-31",
    histogram: { edges: ["2024-01-31", "2024-02-01", "2024-02-02"], counts: [1, 1] },
  });
  expect(await profileOf(["2020-05-01", "2023-12-31"])).toMatchObject({
    histogram: { edges: expect.arrayContaining(["2020-05-01", "2024-01-01"]) },
  });
  expect(await profileOf(["2024-01-01T00:00:00Z", "2024-01-01T00:00:01.5Z"])).toMatchObject({
    max: "2024-01-01T00:00:01.500000Z",
    histogram: { edges: ["2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z", "2024-01-01T00:00:02Z"], counts: [1, 1] },
  });
  expect(await profileOf(["10:00:00"])).toMatchObject({ min: "10:00:00", max: "10:00:00" });
  expect(await profileOf(["6f9619ff-8b86-d011-b42d-00c04fc964ff"], "uuid")).toMatchObject({
    distinct_count: { value: 1, exact: true },
  });
  expect(await profileOf(["true", "false", "true", ""])).toEqual({ null_count: 1, true_count: 2 });
});

test("the mean of decimals whose sum has more than 38 digits", async () => {
  const values = Array.from({ length: 20 }, () => `1${"0".repeat(37)}`);
  expect(await profileOf(values)).toMatchObject({ mean: 1e37, stddev: 0 });
});

test("text: length in characters, long values and NUL are not shown", async () => {
  const profile = await profileOf(["é🗼", "é🗼", "a".repeat(201), '"x\0y"']);
  expect(profile).toMatchObject({
    length: { min: 2, max: 201, mean: 52 },
    distinct_count: { value: 3, exact: true },
    top_values: [{ value: "é🗼", count: 2 }],
  });
  expect(profile.min).toBeUndefined();
});

test("lists have lengths in items, json and all-null columns nothing but null counts", async () => {
  expect(await profileOf(['"[1,2]"', '"[]"'], "list<int64>")).toEqual({
    null_count: 0,
    length: { min: 0, max: 2, mean: 1 },
  });
  expect(await profileOf(['"{}"'], "json")).toEqual({ null_count: 0 });
  expect(await profileOf(["", ""], "int64")).toEqual({ null_count: 2, distinct_count: { value: 0, exact: true } });
});

test("histograms count every value between round edges, at most 40 bins", async () => {
  const lines = Array.from({ length: 1000 }, (_, row) => ((row * 7919) % 997) / 100 - 3);
  const { histogram } = await profileOf(lines.map(String));
  const { edges, counts } = histogram as { edges: number[]; counts: number[] };
  expect(edges.length).toBe(counts.length + 1);
  const expected = counts.map(
    (_, bin) => lines.filter((value) => value >= (edges[bin] ?? 0) && value < (edges[bin + 1] ?? 0)).length,
  );
  expect(counts).toEqual(expected);
  expect(edges.every((edge) => Number(edge.toFixed(2)) === edge)).toBe(true);
});

describe("outliers are in one wider bin at each end, and the others are regular between percentiles 1 and 99", () => {
  const common = Array.from({ length: 998 }, (_, row) => row % 100);
  interface Drawn {
    edges: unknown[];
    counts: number[];
    overflow?: { first: boolean; last: boolean };
  }
  test.each([
    ["int64", "-9000000000000000000", "9000000000000000000"],
    ["float64", "-1e308", "1e308"],
    ["decimal(18,2)", "-123456.78", "123456.78"],
  ])("%s", async (type, low, high) => {
    const profile = await profileOf([low, high, ...common.map(String)], type);
    const { edges, counts, overflow } = profile.histogram as Drawn;
    expect(overflow).toEqual({ first: true, last: true });
    expect([counts[0], counts.at(-1), counts.length]).toEqual([1, 1, 22]);
    expect(edges.slice(1, 4)).toEqual([0, 5, 10]);
    expect(edges.at(-2)).toBe(100);
    expect(counts.slice(1, -1)).toEqual(
      Array.from({ length: 20 }, (_, bin) => common.filter((value) => Math.floor(value / 5) === bin).length),
    );
    expect([Number(edges[0]) <= Number(low), Number(edges.at(-1)) >= Number(high)]).toEqual([true, true]);
  });

  test.each([
    ["date", "0001-01-01", (at: number) => `2024-01-${String((at % 20) + 1).padStart(2, "0")}`],
    ["timestamp", "1900-01-01T00:00:00Z", (at: number) => `2024-01-01T00:00:${String(at % 30).padStart(2, "0")}Z`],
  ])("%s", async (type, low, at) => {
    const profile = await profileOf([low, ...common.map((_, row) => at(row))], type);
    const { edges, counts, overflow } = profile.histogram as Drawn;
    expect(overflow).toEqual({ first: true, last: false });
    expect([counts[0], counts.reduce((sum, count) => sum + count, 0)]).toEqual([1, 999]);
    expect([edges[0], edges[1]]).toEqual([low, at(0)]);
  });

  test("no wider bins if the values between are spread over most of the range, or are all the same", async () => {
    for (const lines of [common.map(String), [...Array.from({ length: 999 }, () => "0"), "1000"]])
      expect((await profileOf(lines)).histogram).not.toHaveProperty("overflow");
  });
});

test("a large column of mostly different values is estimated and marked, but its quantiles are exact", async () => {
  const lines = Array.from({ length: 250_000 }, (_, row) => String((row * 7919) % 250_000));
  const profile = await profileOf(lines);
  expect(profile).toMatchObject({
    min: 0,
    max: 249_999,
    distinct_count: { exact: false },
    quantiles: { p50: 124_999 },
  });
  expect(profile.top_values).toBeUndefined();
});
