import { expect, test } from "vitest";
import type { StepRowsSide } from "@/lib/schemas/step-rows";
import { stepMarks } from "./step-marks";

const side = (names: string, rows: [string | null, ...(string | null)[]][], more: Partial<StepRowsSide> = {}) => ({
  ...{ rows: rows.length, more_columns: 0, keeps_order: true },
  columns: names.split(" ").map((name) => ({ name, type: name === "n" ? "int32" : "string" })),
  origins: rows.map(([origin]) => origin),
  cells: rows.map(([, ...cells]) => cells),
  ...more,
});

test("changed cells, new and removed columns, and rows that were left out are marked", () => {
  const before = side("a b", [
    ["1", "x ", "1"],
    ["2", "y", "2"],
    ["3", "z", null],
  ]);
  const after = side("b a c", [
    ["1", "1", "x", "new"],
    ["3", "0", "z", "new"],
  ]);
  expect(stepMarks(before, after)).toEqual({
    before: { columns: new Set(), rows: new Set([1]) },
    after: { columns: new Set([2]), retyped: new Set(), cells: [new Set([1]), new Set([0])] },
  });
  expect(stepMarks(before, side("a n", [["1", "x ", "1"]])).before.columns).toEqual(new Set([1]));
  const retyped = side("a n", [["1", "x", "1"]]);
  expect(
    stepMarks({ ...retyped, columns: before.columns.map((c, at) => (at ? { ...c, name: "n" } : c)) }, retyped),
  ).toMatchObject({ after: { retyped: new Set([1]) } });
});

test("rows of one origin are told apart by their order, or not at all", () => {
  const before = side("k v", [
    ["1", "a", "x"],
    ["1", "b", "y"],
    ["2", "a", "z"],
  ]);
  const cells = (after: StepRowsSide) => stepMarks(before, after).after.cells;
  const changed = side("k v", [
    ["1", "a", "x"],
    ["1", "b", "Y"],
    ["2", "a", "z"],
  ]);
  expect(cells(changed)).toEqual([new Set(), new Set([1]), new Set()]);
  const filtered = side("k v", [
    ["1", "b", "Y"],
    ["2", "a", "Z"],
  ]);
  expect(cells(filtered)).toEqual([new Set(), new Set([1])]);
  expect(cells({ ...changed, keeps_order: false })).toEqual([new Set(), new Set(), new Set()]);
});

test("nothing is claimed of rows that may be among those that are not shown, or were made by the step", () => {
  const before = side("a", [
    ["1", "x"],
    ["2", "y"],
  ]);
  const others = side("a", [["9", "z"]], { rows: 100, keeps_order: false });
  expect(stepMarks(before, others).before.rows).toEqual(new Set());
  expect(stepMarks(before, { ...others, keeps_order: true }).before.rows).toEqual(new Set([0, 1]));
  expect(stepMarks(before, side("a", [[null, "z"]])).before.rows).toEqual(new Set());
  expect(stepMarks(before, { ...others, cells: null, origins: [] }).before.rows).toEqual(new Set());
  const cut = stepMarks(before, side("b", [["1", "x"]], { more_columns: 3 }));
  expect(cut.before.columns).toEqual(new Set());
});
