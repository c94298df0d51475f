import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { filterOn } from "@/lib/view/filter-values";
import { type View, type ViewFilter, WHOLE_TABLE } from "@/lib/view/view";
import {
  aliasFor,
  countedBy,
  fromStart,
  regrouped,
  rowsOfGroup,
  withFilter,
  withRange,
  withSort,
} from "./view-changes";

const filter = (operator: ViewFilter["operator"], ...texts: string[]): ViewFilter =>
  filterOn({ name: "x", type: "string" }, operator, texts);
const view = (...filters: ViewFilter[]): View => ({ ...WHOLE_TABLE, filters });

test("clicking a value or range replaces the column's old one and keeps other conditions", () => {
  const start = view(filter("neq", "9"), filter("eq", "1"), { column: "y", operator: "eq", value: "1" });
  expect(withFilter(start, filter("eq", "2")).filters).toEqual([start.filters[0], start.filters[2], filter("eq", "2")]);
  expect(withFilter(view(filter("between", "1", "2")), filter("gte", "3"), filter("lt", "4")).filters).toEqual([
    filter("gte", "3"),
    filter("lt", "4"),
  ]);
  expect(withFilter(view(filter("lt", "4")), filter("gte", "3")).filters).toEqual([
    filter("lt", "4"),
    filter("gte", "3"),
  ]);
});

test("a drawn range replaces only ranges, and no range means the entire column", () => {
  const start = view(filter("is_not_null"), filter("gte", "1"), filter("lt", "5"));
  expect(withRange(start, "x", [filter("between", "2", "3")]).filters).toEqual([
    filter("is_not_null"),
    filter("between", "2", "3"),
  ]);
  expect(withRange(start, "x", []).filters).toEqual([filter("is_not_null")]);
});

test("sorting a column cycles ascending, descending, none; Shift adds it to the others", () => {
  const up = withSort(WHOLE_TABLE, "x", false);
  const down = withSort(up, "x", false);
  expect([up.order_by, down.order_by, withSort(down, "x", false).order_by]).toEqual([
    [{ column: "x", direction: "asc" }],
    [{ column: "x", direction: "desc" }],
    [],
  ]);
  expect(withSort(up, "y", true).order_by.map((key) => key.column)).toEqual(["x", "y"]);
});

test("counts by a column are sorted by size, and by time for times", () => {
  expect(countedBy(WHOLE_TABLE, { name: "origin", type: "string" }).order_by).toEqual([
    { column: "rows", direction: "desc" },
  ]);
  const byTime = countedBy(WHOLE_TABLE, { name: "day", type: "date" });
  expect(byTime.group_by).toEqual([{ column: "day", bucket: "month", as: "day_month" }]);
  expect(byTime.order_by).toEqual([{ column: "day_month", direction: "asc" }]);
  expect(countedBy(WHOLE_TABLE, { name: "Rows", type: "string" }).aggregates).toEqual([
    { function: "count", as: "row_count" },
  ]);
});

test("other groups keep the order that they still have, and a chart that they can still draw", () => {
  const grouped: View = {
    ...countedBy(WHOLE_TABLE, { name: "a", type: "string" }),
    chart: { kind: "bar", x: "a", y: "rows" },
  };
  expect(regrouped(grouped, { group_by: ["a", "b"], aggregates: grouped.aggregates })).toMatchObject({
    order_by: grouped.order_by,
    chart: grouped.chart,
  });
  expect(regrouped(grouped, { group_by: ["b"], aggregates: grouped.aggregates }).chart).toBeUndefined();
  expect(regrouped(grouped, { group_by: [], aggregates: [] })).toMatchObject({
    group_by: [],
    aggregates: [],
    order_by: [],
  });
});

test("groups of other spans are in their usual order, unless another one was chosen", () => {
  const byMonth = countedBy(WHOLE_TABLE, { name: "day", type: "date" });
  const weekdays: View["group_by"] = [{ column: "day", bucket: "day_of_week", as: "weekday" }];
  const change = (view: View) =>
    regrouped(view, { group_by: weekdays, aggregates: view.aggregates }, new Map([["day_month", "weekday"]])).order_by;
  expect(change(byMonth)).toEqual([{ column: "rows", direction: "desc" }]);
  expect(change({ ...byMonth, order_by: [{ column: "day_month", direction: "desc" }] })).toEqual([
    { column: "weekday", direction: "desc" },
  ]);
});

test("names of results use only characters that the service accepts, and are unique", () => {
  expect(aliasFor("avg", "Cost: Total $", [])).toBe("avg_Cost_Total");
  expect(aliasFor("sum", "日本", [])).toBe("sum");
  expect(aliasFor("rows", undefined, ["Rows", "rows_2"])).toBe("rows_3");
});

test(
  "the rows of a group are those with its values, with every digit and with null, within what was " + "asked before",
  () => {
    const grouped: View = {
      ...view(filter("eq", "1"), { column: "y", operator: "gt", value: "2" }),
      group_by: ["x", "id"],
      chart: { kind: "bar", x: "x", y: "n" },
    };
    const rows = rowsOfGroup(grouped, { x: null, id: new LosslessNumber("9007199254740993"), n: 4 }, [
      { name: "x", type: "int64" },
      { name: "id", type: "int64" },
    ]);
    expect(rows).toMatchObject({ group_by: [], aggregates: [], chart: undefined });
    expect(rows.filters).toEqual([
      { column: "y", operator: "gt", value: "2" },
      filter("is_null"),
      { column: "id", operator: "eq", value: new LosslessNumber("9007199254740993") },
    ]);
  },
);

test("different rows are shown from the first, the same rows from where they were", () => {
  const here = { ...view(filter("eq", "1")), firstRow: 201 };
  expect(fromStart({ ...here, columns: ["x"] }, here).firstRow).toBe(201);
  expect(fromStart(withSort(here, "x", false), here).firstRow).toBeUndefined();
  expect(fromStart(withFilter(here, filter("gte", "3")), here).firstRow).toBeUndefined();
  expect(fromStart({ ...here, filters: [], firstRow: 5 }, here).firstRow).toBe(5);
});
