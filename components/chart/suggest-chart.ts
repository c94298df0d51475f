import { isNameLike } from "@/components/values/value-text";
import { keyOf, SERIES_MAX } from "./chart-data";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { measureOf } from "./measure";
import { placesOf } from "./places";

/** What a chart needs to know about the query: the columns it groups by and orders by. */
export interface ResultShape {
  groups: readonly string[];
  orders: readonly string[];
}

/** Months, weekdays and hours are better shown as bars than on a line. */
const STEPS_MAX = 31;

/** A sensible chart of a result; undefined if no chart says more than the rows. */
export function suggestChart(
  columns: readonly ChartColumn[],
  shape: ResultShape,
  rows: readonly ChartRow[],
): ChartSpec | undefined {
  if (rows.length < 2) return undefined;
  return shape.groups.length > 0 ? ofGroups(columns, shape, rows) : ofRows(columns, shape, rows);
}

function ofGroups(
  columns: readonly ChartColumn[],
  { groups }: ResultShape,
  rows: readonly ChartRow[],
): ChartSpec | undefined {
  const keys = columns.filter(({ name }) => groups.includes(name));
  const y = columns.find(({ name, type }) => !groups.includes(name) && measureOf(type) === "number");
  const x =
    keys.find(isTime) ??
    keys.find((column) => isNumber(column) && isNameLike(column.name)) ??
    keys.find(isNumber) ??
    keys[0];
  if (!x || !y) return undefined;
  const series = keys.find((column) => column !== x && distinct(column, rows) > 1);
  return { kind: kindOver(x, rows), x: x.name, y: y.name, ...(series && { series: series.name }) };
}

function kindOver(x: ChartColumn, rows: readonly ChartRow[]): ChartSpec["kind"] {
  if (isTime(x)) return "line";
  if (!isNumber(x)) return "bar";
  return distinct(x, rows) > STEPS_MAX || /year/i.test(x.name) ? "line" : "bar";
}

function ofRows(
  columns: readonly ChartColumn[],
  { orders }: ResultShape,
  rows: readonly ChartRow[],
): ChartSpec | undefined {
  const numbers = columns.filter(
    (column) => isNumber(column) && !isNameLike(column.name) && distinct(column, rows) > 1,
  );
  const [first, second] = numbers;
  if (!first) return undefined;
  const time = columns.find((column) => isTime(column) && (column.name === orders[0] || isSorted(column, rows)));
  const kinds = columns.find(
    (column) =>
      measureOf(column.type) === "category" && distinct(column, rows) > 1 && distinct(column, rows) <= SERIES_MAX,
  );
  const series = kinds && { series: kinds.name };
  if (time) return overTime(time, first, kinds, rows);
  const places = placesOf(numbers);
  if (places) return { ...places, ...series };
  if (second) return { kind: "scatter", x: first.name, y: second.name, ...series };
  const names = columns.find(
    (column) => measureOf(column.type) === "category" && distinct(column, rows) === rows.length,
  );
  return names ? { kind: "bar", x: names.name, y: first.name } : { kind: "histogram", x: first.name, y: "" };
}

/** A line if each instant has one value, at least within its series; else points. */
function overTime(
  x: ChartColumn,
  y: ChartColumn,
  kinds: ChartColumn | undefined,
  rows: readonly ChartRow[],
): ChartSpec {
  const series = kinds && { series: kinds.name };
  if (distinct(x, rows) === rows.length) return { kind: "line", x: x.name, y: y.name };
  const pairs = new Set(rows.map((row) => keyOf([row[x.name], kinds && row[kinds.name]]))).size;
  return { kind: pairs === rows.length ? "line" : "scatter", x: x.name, y: y.name, ...series };
}

const isTime = ({ type }: ChartColumn): boolean => measureOf(type) === "time";
const isNumber = ({ type }: ChartColumn): boolean => measureOf(type) === "number";
const distinct = ({ name }: ChartColumn, rows: readonly ChartRow[]): number =>
  new Set(rows.map((row) => keyOf(row[name]))).size;

/** ISO instants sort as strings. */
function isSorted({ name }: ChartColumn, rows: readonly ChartRow[]): boolean {
  const texts = rows.map((row) => row[name]).filter((value) => typeof value === "string");
  const steps = texts.slice(1).map((text, at) => Math.sign(text.localeCompare(texts[at] ?? "")));
  return (
    texts.length > 1 &&
    (steps.every((step) => step >= 0) || steps.every((step) => step <= 0)) &&
    steps.some((step) => step !== 0)
  );
}
