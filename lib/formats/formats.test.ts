import * as arrow from "apache-arrow";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryPage } from "@/lib/engine/run/reply";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { toArrow } from "./arrow";
import { toCsv, toNdjson } from "./text";

const COLUMNS = [
  column("flag", "boolean", "BOOLEAN"),
  column("small", "int8", "TINYINT"),
  column("wide", "int64", "BIGINT"),
  column("unsigned", "uint64", "UBIGINT"),
  column("single", "float32", "FLOAT"),
  column("double", "float64", "DOUBLE"),
  column("money", "decimal(38,4)", "DECIMAL(38,4)"),
  column("text", "string", "VARCHAR"),
  column("day", "date", "DATE"),
  column("clock", "time", "TIME"),
  column("at", "timestamp", "TIMESTAMP WITH TIME ZONE"),
  column("id", "uuid", "UUID"),
  column("raw", "binary", "BLOB"),
  column("list", "list<int64>", "BIGINT[]"),
  column("pair", "struct", `STRUCT(a BIGINT, "b c" VARCHAR[])`),
  column("doc", "json", "VARCHAR"),
];

const ROWS = `SELECT * FROM (VALUES
  (true, '-128'::TINYINT, 9223372036854775807::BIGINT, 18446744073709551615::UBIGINT, 0.1::FLOAT, 0.1::DOUBLE,
    '-9999999999999999999999999999999999.9999'::DECIMAL(38,4),
   E'a,"b"\\nç 🐦', DATE '1899-12-31', TIME '23:59:59.999999', TIMESTAMPTZ '1969-12-31 23:59:59.999999+00',
     '00000000-0000-4000-8000-00000000000a'::UUID, '\\x00\\xFF'::BLOB,
   [1, NULL, 9007199254740993]::BIGINT[], {'a': 9007199254740993, 'b c': ['x', NULL]}::STRUCT(a BIGINT, "b c"
     VARCHAR[]), '{"n": 12345678901234567890.5}'),
  (false, 127, '-9223372036854775808'::BIGINT, 0, 'NaN', '-Infinity', '0.0001', '', DATE '2400-02-29', TIME
    '00:00:00', TIMESTAMPTZ '2026-11-21 10:00:00+00', 'ffffffff-ffff-4fff-bfff-ffffffffffff', ''::BLOB,
   [], {'a': NULL, 'b c': []}, 'null'),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
) t(${COLUMNS.map(({ name }) => `"${name}"`).join(", ")})`;

let fixture: EngineFixture;
let version: SealedVersion;
beforeAll(async () => {
  fixture = await openFixture("formats");
  version = await seal(fixture, "formats", ROWS, COLUMNS);
});
afterAll(() => fixture.close());

const answer = async (body: object): Promise<QueryPage> => (await ask(fixture.engine, version, body)).page;
const page = (query: object = {}) => answer({ columns: COLUMNS.map(({ name }) => name), ...query });

test("CSV distinguishes null from the empty string, quotes where needed, and keeps every digit", async () => {
  const lines = toCsv(await page())
    .toString("utf8")
    .split("\r\n");
  expect(lines[0]).toBe("flag,small,wide,unsigned,single,double,money,text,day,clock,at,id,raw,list,pair,doc");
  expect(lines[1]).toBe(
    `true,-128,9223372036854775807,18446744073709551615,0.1,0.1,-9999999999999999999999999999999999.9999,"a,""b""\nç ` +
      `🐦",1899-12-31,23:59:59.999999,1969-12-31T23:59:59.999999Z,00000000-0000-4000-8000-00000000000a,AP8=,"[1,null,9007199254740993]","{""a"":9007199254740993,""b ` +
      `c"":[""x"",null]}","{""n"":12345678901234567890.5}"`,
  );
  expect(lines[2]).toBe(
    `false,127,-9223372036854775808,0,NaN,-Infinity,0.0001,"",2400-02-29,00:00:00,2026-11-21T10:00:00Z,ffffffff-ffff-4fff-bfff-ffffffffffff,"",[],"{""a"":null,""b ` +
      `c"":[]}",`,
  );
  expect(lines.slice(3)).toEqual([",".repeat(COLUMNS.length - 1), ""]);
});

test("NDJSON has the reply's rows, one per line", async () => {
  const whole = await page();
  const lines = toNdjson(whole).toString("utf8").trimEnd().split("\n");
  for (const line of lines) JSON.parse(line);
  expect(lines).toHaveLength(3);
  expect(Buffer.from(whole.body).toString("utf8")).toContain(lines.join(",\n"));
  expect(toNdjson(await page({ filters: [{ column: "text", operator: "eq", value: "nowhere" }] })).length).toBe(0);
});

test("Arrow returns the same values as JSON, exactly and typed", async () => {
  const table = arrow.tableFromIPC(toArrow(await page(), false));
  expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "flag Bool", "small Int8", "wide Int64", "unsigned Uint64", "single Float32", "double Float64", "money Decimal[38e+4]", "text Utf8", "day Date32<DAY>",
    "clock Time64<MICROSECOND>", "at Timestamp<MICROSECOND, UTC>", "id Utf8", "raw Binary", "list List<Int64>", "pair Struct<{a:Int64, b c:List<Utf8>}>", "doc Utf8",
  ]); // biome-ignore format: one line a few columns
  const raw = (name: string) => table.getChild(name)?.data[0]?.values;
  expect([...table].map((row) => [row.flag, row.small, row.wide, row.unsigned, row.text, row.id, row.doc])).toEqual([
    [
      true,
      -128,
      9223372036854775807n,
      18446744073709551615n,
      'a,"b"\nç 🐦',
      "00000000-0000-4000-8000-00000000000a",
      '{"n":12345678901234567890.5}',
    ],
    [false, 127, -9223372036854775808n, 0n, "", "ffffffff-ffff-4fff-bfff-ffffffffffff", null],
    [null, null, null, null, null, null, null],
  ]);
  expect([...(raw("single") as Float32Array)].slice(0, 2)).toEqual([Math.fround(0.1), Number.NaN]);
  expect([...(raw("double") as Float64Array)].slice(0, 2)).toEqual([0.1, Number.NEGATIVE_INFINITY]);
  expect([...(raw("at") as BigInt64Array)].slice(0, 2)).toEqual([-1n, 1795255200000000n]);
  expect([...(raw("clock") as BigInt64Array)].slice(0, 2)).toEqual([86_399_999_999n, 0n]);
  expect([...(raw("day") as Int32Array)].slice(0, 2)).toEqual([-25568, 157113]);
  expect(decimals(raw("money") as Uint32Array).slice(0, 2)).toEqual([-99999999999999999999999999999999999999n, 1n]);
  expect(
    table
      .getChild("list")
      ?.toJSON()
      .map((list) => list?.toJSON() ?? null),
  ).toEqual([[1n, null, 9007199254740993n], [], null]);
  expect(
    table
      .getChild("pair")
      ?.toJSON()
      .map((pair) => pair && [pair.a, pair["b c"]?.toJSON()]),
  ).toEqual([[9007199254740993n, ["x", null]], [null, []], null]);
  expect(
    table
      .getChild("raw")
      ?.toJSON()
      .map((bytes) => bytes && Buffer.from(bytes).toString("hex")),
  ).toEqual(["00ff", "", null]);
});

test("Arrow supports empty pages, groups and aggregates, and wide numbers as strings on request", async () => {
  const grouped = await answer({
    columns: [],
    group_by: ["flag"],
    aggregates: [
      { function: "sum", column: "small", as: "s" },
      { function: "count", as: "n" },
    ],
    order_by: [{ column: "flag" }],
  });
  const table = arrow.tableFromIPC(toArrow(grouped, false));
  expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "flag Bool",
    "s Decimal[38e0]",
    "n Int64",
  ]);
  expect(table.getChild("n")?.toJSON()).toEqual([1n, 1n, 1n]);
  expect(
    arrow.tableFromIPC(toArrow(await page({ filters: [{ column: "text", operator: "eq", value: "nowhere" }] }), false))
      .numRows,
  ).toBe(0);
  const text = arrow.tableFromIPC(toArrow(await page({ int64: "string", columns: ["wide", "money", "list"] }), true));
  expect(text.getChild("wide")?.toJSON()).toEqual(["9223372036854775807", "-9223372036854775808", null]);
});

function decimals(words: Uint32Array): bigint[] {
  const halves = new BigInt64Array(words.buffer, words.byteOffset, words.length / 2);
  return Array.from(
    { length: halves.length / 2 },
    (_, at) => ((halves[at * 2 + 1] as bigint) << 64n) + BigInt.asUintN(64, halves[at * 2] as bigint),
  );
}
