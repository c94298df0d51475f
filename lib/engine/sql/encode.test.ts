import { tmpdir } from "node:os";
import fc from "fast-check";
import { parse } from "lossless-json";
import { expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { columnTypeOfDuckdb } from "@/lib/engine/types/column-types";
import { propertyParameters } from "@/lib/testing/property";
import { type EncodedColumn, rowJson, valueJson } from "./encode";
import { quoteLiteral } from "./identifier";

const WRITER = { tempDir: tmpdir(), memoryMb: 512, threads: 1 };
const NUMBERS = { int64AsText: false };

const encoded = (storage: string, type = columnTypeOfDuckdb(storage)?.name ?? "", name = "v"): EncodedColumn => ({
  name,
  ref: "v",
  type,
  storage,
});

/** The JSON text of `{"v": value}` for SQL values of one type, one after another. */
async function jsonOf(
  storage: string,
  values: readonly string[],
  encoding = NUMBERS,
  type?: string,
): Promise<string[]> {
  return await withWriter(WRITER, async (connection) => {
    const rows = values.map((value) => `SELECT CAST(${value} AS ${storage}) AS v`).join(" UNION ALL ");
    return (await connection.runAndReadAll(`SELECT ${rowJson([encoded(storage, type)], encoding)} FROM (${rows})`))
      .getRows()
      .map(([json]) => String(json).slice(5, -1));
  });
}

test.each([
  ["BOOLEAN", ["true", "NULL"], ["true", "null"]],
  ["BIGINT", ["9007199254740993", "-9223372036854775808"], ["9007199254740993", "-9223372036854775808"]],
  ["UBIGINT", ["18446744073709551615"], ["18446744073709551615"]],
  [
    "DOUBLE",
    ["0.1", "'-0.0'", "1e300", "5e-324", "'nan'", "'inf'", "'-inf'", "NULL", "0.30000000000000004"],
    ["0.1", "-0.0", "1e300", "5e-324", '"NaN"', '"Infinity"', '"-Infinity"', "null", "0.30000000000000004"],
  ],
  [
    "FLOAT",
    ["0.1", "16777216", "'nan'", "'-inf'", "3.4028235e38", "NULL"],
    ["0.1", "16777216.0", '"NaN"', '"-Infinity"', "3.4028235e38", "null"],
  ],
  ["DECIMAL(12,2)", ["1.5", "0", "-0.05", "NULL", "1234567890.12"], ["1.50", "0.00", "-0.05", "null", "1234567890.12"]],
  ["DECIMAL(3,3)", ["0.125", "-0.5", "0", "NULL"], ["0.125", "-0.500", "0.000", "null"]],
  ["DECIMAL(38,0)", ["'99999999999999999999999999999999999999'"], ["99999999999999999999999999999999999999"]],
  ["DECIMAL(38,10)", ["'1234567890123456789012345678.0123456789'"], ["1234567890123456789012345678.0123456789"]],
  [
    "VARCHAR",
    ["'007'", "''", "NULL", "'é😀'", "chr(0) || chr(10)", `'"\\'`],
    ['"007"', '""', "null", '"é😀"', '"\\u0000\\n"', '"\\"\\\\"'],
  ],
  ["DATE", ["'0001-01-01'", "'9999-12-31'"], ['"0001-01-01"', '"9999-12-31"']],
  [
    "TIME",
    ["'01:02:03'", "'01:02:03.5'", "'23:59:59.999999'", "NULL"],
    ['"01:02:03"', '"01:02:03.500000"', '"23:59:59.999999"', "null"],
  ],
  [
    "TIMESTAMP WITH TIME ZONE",
    ["'2020-01-01 00:00:00+00'", "'0001-01-01 00:00:00.000001+00'", "'1969-12-31 23:59:59.9+00'", "NULL"],
    ['"2020-01-01T00:00:00Z"', '"0001-01-01T00:00:00.000001Z"', '"1969-12-31T23:59:59.900000Z"', "null"],
  ],
  ["UUID", ["'F47AC10B-58CC-4372-A567-0E02B2C3D479'"], ['"f47ac10b-58cc-4372-a567-0e02b2c3d479"']],
  ["BLOB", ["'\\x00\\xFF'", "NULL"], ['"AP8="', "null"]],
  ["DOUBLE[]", ["[0.1, 'nan'::DOUBLE, NULL]", "[]", "NULL"], ['[0.1,"NaN",null]', "[]", "null"]],
  ["DECIMAL(4,2)[][]", ["[[1.5, NULL], [], NULL]"], ["[[1.50,null],[],null]"]],
  [
    'STRUCT("a b" INTEGER, t TIMESTAMP WITH TIME ZONE[], s STRUCT(d DECIMAL(3,1)))',
    ["{'a b': 1, 't': ['2020-01-01 00:00:00+00'], 's': {'d': 1}}", "{'a b': NULL, 't': NULL, 's': NULL}", "NULL"],
    ['{"a b":1,"t":["2020-01-01T00:00:00Z"],"s":{"d":1.0}}', '{"a b":null,"t":null,"s":null}', "null"],
  ],
  ["STRUCT(a INTEGER, l VARCHAR[])", ["{'a': 1, 'l': ['x', NULL]}", "NULL"], ['{"a":1,"l":["x",null]}', "null"]],
] as const)("%s has the contract's JSON", async (storage, values, expected) => {
  expect(await jsonOf(storage, values)).toEqual(expected);
});

test("json keeps its digits; its line breaks become spaces, and invalid JSON becomes a string", async () => {
  expect(
    await jsonOf(
      "VARCHAR",
      [`'{"a": 1.50,' || chr(10) || '"b": [9007199254740993]}'`, "'null'", "NULL", "'{a'"],
      NUMBERS,
      "json",
    ),
  ).toEqual(['{"a": 1.50, "b": [9007199254740993]}', "null", "null", '"{a"']);
});

test("text that only DuckDB accepts as JSON is a string in the reply", async () => {
  const lenient = ['{"a":NaN}', "[1, ]", '["a",\n]', '{"a":-Infinity,}'];
  const strict = ['{"a":"NaN,]","nan":null}', '["\\",]",-1.5e-3]', '["a","b"]'];
  for (const storage of ["VARCHAR", "JSON"]) {
    const json = await jsonOf(storage, [...lenient, ...strict].map(quoteLiteral), NUMBERS, "json");
    expect(json.map((text) => JSON.parse(text))).toEqual([...lenient, ...strict.map((text) => JSON.parse(text))]);
  }
});

test("64-bit integers and decimals are sent as strings on request, nested ones too", async () => {
  const asText = { int64AsText: true };
  expect(await jsonOf("BIGINT", ["1", "NULL"], asText)).toEqual(['"1"', "null"]);
  expect(await jsonOf("UBIGINT[]", ["[1, NULL]"], asText)).toEqual(['["1",null]']);
  expect(await jsonOf("DECIMAL(4,2)", ["1.5"], asText)).toEqual(['"1.50"']);
  expect(await jsonOf("INTEGER", ["1"], asText)).toEqual(["1"]);
});

test("columns keep their order around exact ones, and hostile names are plain keys", async () => {
  const names = ["a", "b", `q"uo'te`, "\u{1f600}", "}", "z"];
  const types = ["INTEGER", "DECIMAL(4,2)", "VARCHAR", "DECIMAL(4,1)", "DECIMAL(3,3)", "VARCHAR"];
  const columns = names.map((name, at) => ({ ...encoded(types[at] ?? ""), name, ref: `c${at}` }));
  const json = await withWriter(
    WRITER,
    async (connection) =>
      (
        await connection.runAndReadAll(
          `SELECT ${rowJson(columns, NUMBERS)} FROM (SELECT 1 AS c0, 1.5::DECIMAL(4,2) AS c1, '}' AS c2, ` +
            "NULL::DECIMAL(4,1) AS c3, 0.125::DECIMAL(3,3) AS c4, '{' AS c5)",
        )
      ).getRows()[0]?.[0],
  );
  expect(json).toBe(`{"a":1,"b":1.50,"q\\"uo'te":"}","\u{1f600}":null,"}":0.125,"z":"{"}`);
});

test("the JSON text of null is null", async () => {
  const json = await withWriter(WRITER, async (connection) =>
    (
      await connection.runAndReadAll(
        `SELECT ${valueJson(encoded("DOUBLE"), NUMBERS)} FROM (VALUES (NULL::DOUBLE), ('nan'::DOUBLE), (0.5)) t(v)`,
      )
    ).getRows(),
  );
  expect(json).toEqual([["null"], ['"NaN"'], ["0.5"]]);
});

test("every double and every string round-trips exactly", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ noDefaultInfinity: true, noNaN: true }), { minLength: 1, maxLength: 50 }),
      fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 20 }),
      async (doubles, texts) => {
        const numbers = await jsonOf(
          "DOUBLE",
          doubles.map((value) => quoteLiteral(String(Object.is(value, -0) ? "-0.0" : value))),
        );
        expect(numbers.map(Number)).toEqual(doubles);
        const strings = await jsonOf("VARCHAR", texts.map(quoteLiteral));
        expect(strings.map((text) => parse(text))).toEqual(texts);
      },
    ),
    propertyParameters(20),
  );
});
