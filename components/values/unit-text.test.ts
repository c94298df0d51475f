import { expect, test } from "vitest";
import { unitText, withUnit } from "./unit-text";

test.each([
  ["Cel", "°C"],
  ["deg", "°"],
  ["ug/m3", "µg/m³"],
  ["[kn_i]", "kn"],
  ["USD", "USD"],
  ["persons per household", "persons per household"],
  ["constructor", "constructor"],
])("the unit %s is written %s", (unit, text) => {
  expect(unitText(unit)).toBe(text);
});

test("values have a space before their unit, angles none", () => {
  expect([withUnit("21.5", "Cel"), withUnit("45", "deg"), withUnit("12", "min")]).toEqual(["21.5 °C", "45°", "12 min"]);
});
