import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { insideContext } from "@/lib/http/context";
import type { Failure } from "@/lib/kernel/errors";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { failureText } from "./failure-text";
import type { Tool } from "./tool";
import { TOOLBOX } from "./tools";

useTestState();

const WIDE = 150;
let [gauges, wide] = ["", ""];

beforeAll(async () => {
  const rows = Array.from(
    { length: 40 },
    (_, at) =>
      `g${at},${9_007_199_254_740_993n + BigInt(at)},${at < 3 ? "" : at / 4},${at % 2 ? "up" : "down"},${"x".repeat(at < 2 ? 300 : 5)}`,
  );
  const notes = [{ name: "level", type: "float64", unit: "m", description: "Above the gauge's zero.\nTwice a day." }];
  gauges = await publish("gauges", ["id,serial,level,trend,remark", ...rows].join("\n"), notes);
  const names = Array.from(
    { length: WIDE },
    (_, at) => `measurement of the ${at}th instrument, ${"as it was read, ".repeat(9)}`,
  );
  wide = await publish(
    "wide",
    `${names.map((name) => `"${name}"`).join(",")}\n${names.map((_, at) => at).join(",")}\n`,
  );
});

afterAll(async () => {
  await closeReadingEngine();
});

const publish = async (
  slug: string,
  csv: string,
  columns: { name: string; type: string; unit: string; description: string }[] = [],
): Promise<string> => (await publishText(slug, csv, { columns })).table_id;

const toolOf = (name: string) => TOOLBOX.find(name) as Tool;

async function ask(
  args: object,
  tool = toolOf("get_table_schema"),
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into, and each test says what it expects there.
): Promise<{ text: string; structured: any; tokens: number }> {
  const { text = "", structured: exact } = await tool.call(args, insideContext());
  const structured = JSON.parse(stringifyExactJson(exact)) as never;
  expect(tool.output.safeParse(structured).error).toBeUndefined();
  return { text, structured, tokens: encode(text).length + encode(stringifyExactJson(exact)).length };
}

test("a column is one line: name, type, unit, values or range with all digits, nulls, meaning", async () => {
  const { text, structured } = await ask({ table_id: gauges });
  expect(text.split("\n")).toEqual([
    expect.stringMatching(/^5 columns, 40 rows, version [0-9a-f-]{36}, sha256:[0-9a-f]{64}$/),
    'id: string, 40 distinct, such as "g0"',
    "serial: int64, 9007199254740993 to 9007199254741032, 40 distinct",
    "level: float64 [m], 0.75 to 9.75, 3 null | Above the gauge's zero. Twice a day.",
    'trend: string, "down" ×20, "up" ×20',
    'remark: string, 2 distinct, such as "xxxxx"',
  ]);
  expect(structured.columns[3]).toEqual({
    name: "trend",
    type: "string",
    nullable: false,
    profile: {
      distinct_count: { value: 2, exact: true },
      top_values: [
        { value: "down", count: 20 },
        { value: "up", count: 20 },
      ],
    },
  });
});

test("details add operators, functions and figures", async () => {
  const { structured } = await ask({ table_id: gauges, columns: ["level"], details: true });
  expect(structured.columns).toEqual([
    expect.objectContaining({
      operators: expect.arrayContaining(["between"]),
      functions: expect.arrayContaining(["median"]),
    }),
  ]);
  expect(structured.columns[0].profile).toMatchObject({
    null_count: 3,
    mean: expect.anything(),
    quantiles: { p50: 5.25 },
  });
  expect(structured).toMatchObject({ columns_total: 5, truncated: false, next_column: null });
});

test("a wide table comes in small parts that together have every column", async () => {
  for (const details of [false, true]) {
    const seen: string[] = [];
    for (let from: string | null | undefined; from !== null; ) {
      const { structured, text, tokens } = await ask({
        table_id: wide,
        details,
        ...(from !== undefined && { from_column: from }),
      });
      expect(tokens).toBeLessThan(10_000);
      expect(text.startsWith("PARTIAL: ")).toBe(structured.truncated);
      expect(structured.more_columns.includes(structured.next_column)).toBe(structured.truncated);
      seen.push(...structured.columns.map(({ name }: { name: string }) => name));
      from = structured.next_column;
    }
    expect([seen.length, new Set(seen).size]).toEqual([WIDE, WIDE]);
  }
});

test("an unknown column is named, with a suggestion", async () => {
  for (const [args, pointer] of [
    [{ columns: ["id", "levle"] }, "/columns/1"],
    [{ from_column: "levle" }, "/from_column"],
  ] as const)
    await expect(ask({ table_id: gauges, ...args })).rejects.toMatchObject({
      faults: [{ pointer, code: "unknown_column", didYouMean: "level" }],
    });
});

test("many unknown columns are reported in a few lines, with suggestions for the first 20", async () => {
  const rejection = await ask({ table_id: gauges, columns: Array.from({ length: 500 }, () => "levle") }).catch(
    (error: Failure) => error,
  );
  const meant = (rejection as Failure).faults.map(({ didYouMean }) => didYouMean !== undefined);
  expect([meant.length, meant.lastIndexOf(true)]).toEqual([500, 19]);
  const text = failureText(rejection as Failure, "req_1");
  expect(text).toContain("- and 480 more errors\nNext: ");
  expect(text.split("\n").length).toBe(23);
});

test("truncated text has no lone surrogate, which strict JSON parsers reject", async () => {
  const cell = `${"x".repeat(199)}\u{1F600}\u{1F600}`;
  const description = `${"y".repeat(239)}\u{1F600}\u{1F600}`;
  const faces = await publish("faces", `face\n${cell}`, [{ name: "face", type: "string", unit: "", description }]);
  const { structured } = await ask({ table_id: faces }, toolOf("sample_rows"));
  expect(structured.rows).toEqual([[`${"x".repeat(199)}…`]]);
  const schema = await ask({ table_id: faces });
  expect(schema.structured.columns[0].description).toBe(`${"y".repeat(239)}…`);
});

test("long cells of sampled rows are truncated and listed", async () => {
  const { text, structured } = await ask({ table_id: gauges, limit: 3 }, toolOf("sample_rows"));
  const remarkAt = structured.columns.findIndex(({ name }: { name: string }) => name === "remark");
  expect(structured.rows.map((row: unknown[]) => String(row[remarkAt]).length)).toEqual([201, 201, 5]);
  expect(structured.advice).toContain("Truncated at 200 characters: remark.");
  expect(structured.truncated_cells).toEqual([
    { row: 0, column: "remark" },
    { row: 1, column: "remark" },
  ]);
  expect(text).toContain("\nTruncated at 200 characters: remark. ");
});
