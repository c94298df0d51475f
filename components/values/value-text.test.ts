import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { valueText } from "./value-text";

test.each([
  ["null is null, empty text is text", null, "string", "name", null],
  ["empty text", "", "string", "name", ""],
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
