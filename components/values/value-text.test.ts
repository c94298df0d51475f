import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { computedText, valueText } from "./value-text";

test.each([
  ["null is null, empty string is text", null, "string", "name", null],
  ["empty string", "", "string", "name", ""],
  ["thousands are separated", 3_000_000, "int64", "rows", "3,000,000"],
  ["a year is a name", 2001, "int16", "year", "2001"],
  ["a year inside a longer name too", 2001, "int16", "model_year", "2001"],
  ["leading zeros stay", "00501", "string", "zip_code", "00501"],
  ["digits beyond a double stay", new LosslessNumber("9007199254740993"), "int64", "size", "9,007,199,254,740,993"],
  ["decimals keep their zeros", new LosslessNumber("1234.50"), "decimal(10,2)", "cost", "1,234.50"],
  ["instants are cut to what they say", "2001-01-01T05:30:00Z", "timestamp", "at", "2001-01-01 05:30:00"],
  ["microseconds stay", "2001-01-01T05:30:00.000001Z", "timestamp", "at", "2001-01-01 05:30:00.000001"],
  ["milliseconds are not drawn out", "2001-01-01T05:30:00.650000Z", "timestamp", "at", "2001-01-01 05:30:00.650"],
  ["nested values are JSON", [{ a: null }], "list<struct>", "notes", '[{"a":null}]'],
  ["false is a value", false, "boolean", "late", "false"],
])("%s", (_name, value, type, name, text) => expect(valueText(value, { name, type })).toBe(text));

test.each([
  [9.27365472132547, "float64", "9.27"],
  [new LosslessNumber("355.3109311740891"), "float64", "355.31"],
  [-12_345.678, "float64", "-12,345.68"],
  [0.012345, "float64", "0.0123"],
  [12, "float64", "12.00"],
  [new LosslessNumber("4875.0"), "float64", "4,875.00"],
  [0, "float64", "0.00"],
  [12, "int64", "12"],
  [new LosslessNumber("1234.5678"), "decimal(10,4)", "1,234.5678"],
  [null, "float64", null],
])("the computed %s (%s) is shown as %s", (value, type, text) => {
  expect(computedText(value, { name: "mean", type })).toBe(text);
});
