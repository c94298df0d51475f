import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { columnTypeOf, columnTypeOfDuckdb, functionsFor, operatorsFor, parseColumnType } from "./column-types";
import { leafCount, parseStorageType } from "./storage-type";

test.each([
  ["boolean", "BOOLEAN", "boolean"],
  ["int8", "TINYINT", "number"],
  ["int64", "BIGINT", "number"],
  ["uint8", "UTINYINT", "number"],
  ["uint64", "UBIGINT", "number"],
  ["float32", "FLOAT", "number"],
  ["float64", "DOUBLE", "number"],
  ["decimal(38,10)", "DECIMAL(38,10)", "number"],
  ["string", "VARCHAR", "string"],
  ["date", "DATE", "string"],
  ["time", "TIME", "string"],
  ["timestamp", "TIMESTAMP WITH TIME ZONE", "string"],
  ["uuid", "UUID", "string"],
  ["binary", "BLOB", "string"],
  ["list<list<decimal(4,1)>>", "DECIMAL(4,1)[][]", "array"],
])("%s is stored as %s and sent as a JSON %s", (type, storage, json) => {
  const parsed = parseColumnType(type);
  expect([parsed?.name, parsed?.duckdb, parsed?.json.kind]).toEqual([type, storage, json]);
  expect(columnTypeOfDuckdb(storage)?.name).toBe(type);
});

test("json and struct are recognised by name, and stored as text and as their fields", () => {
  expect([parseColumnType("json")?.duckdb, parseColumnType("struct")?.duckdb]).toEqual(["VARCHAR", undefined]);
  expect([columnTypeOfDuckdb("JSON")?.name, columnTypeOfDuckdb("VARCHAR")?.name]).toEqual(["json", "string"]);
  expect(columnTypeOfDuckdb('STRUCT("a,b" INTEGER, "c""d" STRUCT(e DECIMAL(4, 1)[]))[]')?.name).toBe("list<struct>");
});

test.each([
  "",
  "int128",
  "int",
  "decimal",
  "decimal(39,0)",
  "decimal(3,4)",
  "decimal(0,0)",
  "list<>",
  "list<int7>",
  "constructor",
  "toString",
  "LIST<int8>",
])("%j is not a column type", (type) => {
  expect(parseColumnType(type)).toBeUndefined();
});

test.each([
  "HUGEINT",
  "INTERVAL",
  "MAP(VARCHAR, INTEGER)",
  "ENUM('a')",
  "UNION(a INTEGER)",
  "STRUCT(a HUGEINT)",
  "BIT",
  "nonsense(",
  "",
])("%j has no column type", (storage) => {
  expect(columnTypeOfDuckdb(storage)).toBeUndefined();
});

test("families decide operators and functions", () => {
  expect(operatorsFor("json")).toEqual(["is_null", "is_not_null"]);
  expect(operatorsFor("time")).toEqual(["is_null", "is_not_null"]);
  expect(operatorsFor("uuid")).toEqual(["eq", "neq", "in", "not_in", "is_null", "is_not_null"]);
  expect(operatorsFor("boolean")).not.toContain("between");
  expect(operatorsFor("string")).toContain("starts_with");
  expect(functionsFor("string")).toEqual(["count_distinct", "min", "max"]);
  expect(functionsFor("list<int8>")).toEqual([]);
  expect(functionsFor("int8")).toEqual([
    "count_distinct",
    "sum",
    "avg",
    "min",
    "max",
    "median",
    "quantile",
    "stddev",
    "variance",
    "corr",
    "slope",
  ]);
  expect(parseColumnType("binary")?.family).toBe("opaque");
});

test("leaves are counted through nested types", () => {
  const leaves = (text: string) => leafCount(parseStorageType(text) ?? { kind: "scalar", name: "" });
  expect([leaves("INTEGER"), leaves("INTEGER[][]"), leaves("STRUCT(a INTEGER, b STRUCT(c DATE, d TIME)[])")]).toEqual([
    1, 1, 3,
  ]);
});

test.each([
  ["int64", "9007199254740993"],
  ["uint64", "18446744073709551615"],
  ["decimal(38,10)", "-1234567890123456789012345678.0123456789"],
])("filters of %s take %s as a string too, with every digit", (type, digits) => {
  const { readFilter } = columnTypeOf({ type });
  expect(readFilter(digits)).toEqual(readFilter(new LosslessNumber(digits)));
  for (const text of ["", " 1", "1 ", "0x1", "one", "NaN"]) expect(readFilter(text)).toHaveProperty("rejected");
});

test.each(["int32", "uint8", "float64", "float32"])("filters of %s take numbers only", (type) => {
  expect(columnTypeOf({ type }).readFilter("1")).toEqual({ rejected: "Expected a number." });
});
