import { expect, test } from "vitest";
import type { OperatorName } from "@/lib/engine/types/operators";
import { filterOn, textsOf } from "./filter-values";

const filterOf = (operator: OperatorName, texts: string[]) =>
  filterOn({ name: "at", type: "timestamp" }, operator, texts);

const END = "T23:59:59.999999Z";

test.each<[OperatorName, string[], OperatorName, string[]]>([
  ["gte", ["2018-02-05 01:00:00"], "gte", ["2018-02-05T01:00:00Z"]],
  ["gte", ["2018-02-05 01:00"], "gte", ["2018-02-05T01:00:00Z"]],
  ["eq", ["2018-02-05 01:26:13.840"], "eq", ["2018-02-05T01:26:13.840Z"]],
  ["lt", [" 2018-02-05t01:00:00z "], "lt", ["2018-02-05T01:00:00Z"]],
  ["gte", ["2018-02-05"], "gte", ["2018-02-05T00:00:00Z"]],
  ["gt", ["2018-02-05"], "gt", [`2018-02-05${END}`]],
  ["lt", ["2018-02-05"], "lt", ["2018-02-05T00:00:00Z"]],
  ["lte", ["2018-02-05"], "lte", [`2018-02-05${END}`]],
  ["between", ["2018-02-05", "2018-02-06"], "between", ["2018-02-05T00:00:00Z", `2018-02-06${END}`]],
  ["eq", ["2018-02-05"], "between", ["2018-02-05T00:00:00Z", `2018-02-05${END}`]],
])("%s %j is sent as %s %j", (operator, values, asked, instants) => {
  const filter = filterOf(operator, values);
  expect([filter.operator, textsOf(filter)]).toEqual([asked, instants]);
});

test.each<[OperatorName, string[]]>([
  ["neq", ["2018-02-05"]],
  ["in", ["2018-02-05"]],
  ["gte", ["5 Feb 2018"]],
  ["gte", ["2018-02-05 1:00"]],
  ["is_null", []],
])("%s %j is left to the service's own check", (operator, values) => {
  expect(textsOf(filterOf(operator, values))).toEqual(values);
});
