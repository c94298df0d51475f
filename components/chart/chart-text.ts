import { unitText, withUnit } from "@/components/values/unit-text";
import { computedText, valueText } from "@/components/values/value-text";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { ChartInput, LeftOut } from "./chart-data";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";

import { spanText } from "./span-text";

export interface Fact {
  name: string;
  value: string;
}

/** A column in words with its unit, unless the words contain it: `Average of delay (min)`. */
export function columnTitle({ name, title = name, axisTitle, unit }: ChartColumn): string {
  if (axisTitle !== undefined) return axisTitle;
  return unit && !title.endsWith(`(${unit})`) ? `${title} (${unitText(unit)})` : title;
}

/** The columns with the author's own titles of their axes. */
export const withAxisTitles = (
  columns: readonly ChartColumn[],
  { x, y }: ChartSpec,
  { xTitle, yTitle }: { xTitle?: string | undefined; yTitle?: string | undefined },
): ChartColumn[] =>
  columns.map((column) => {
    const axisTitle = column.name === x ? xTitle : column.name === y ? yTitle : undefined;
    return axisTitle === undefined ? column : { ...column, axisTitle };
  });

/** A value as in the result, with all its digits and its unit. */
function exactText(row: ChartRow | undefined, column: ChartColumn): string {
  const span = spanText(row?.[column.name], column);
  if (span !== undefined) return span;
  const text = shownText(row?.[column.name], column);
  if (text === null) return "null";
  return column.unit ? withUnit(text, column.unit) : text || "empty string";
}

/** Measured and exact values keep their digits; computed means are shortened as in the grid. */
const shownText = (value: unknown, column: ChartColumn): string | null =>
  column.name.startsWith("average ") ? computedText(value, column) : valueText(value, column);

/** A mark's row as text: what it is, what it measures and what it belongs to. */
export function rowFacts({ rows, x, y, series, colour, size }: ChartInput, at: number): Fact[] {
  const shown = new Set([x, y, series, colour, size].filter((column) => column !== undefined));
  return [...shown].map((column) => ({ name: column.name, value: exactText(rows[at], column) }));
}

/** `ORD, flights: 120,000, carrier: UA`. */
export const factsText = (facts: readonly Fact[]): string =>
  facts.map(({ name, value }, at) => (at === 0 ? value : `${name}: ${value}`)).join(", ");

/** Rows that have no place in a chart, in sentences. */
export function leftOutNotes({ rows, missing, unplaced }: LeftOut): string[] {
  const notes: string[] = [];
  if (missing > 0) notes.push(`Not shown: ${formatCount(missing)} of ${formatPlural(rows, "row")} without a value.`);
  if (unplaced > 0)
    notes.push(`Not shown: ${formatCount(unplaced)} of ${formatPlural(rows, "row")} with NaN or infinity.`);
  return notes;
}

/** What a chart shows, for people who cannot see it. */
export function chartName({ spec, x, y, series, colour, size }: ChartInput): string {
  const kinds = { line: "Line chart", bar: "Bar chart", histogram: "Histogram", scatter: "Scatter plot", map: "Map" };
  const what = spec.kind === "map" ? "Places" : y ? `${columnTitle(y)} by ${columnTitle(x)}` : columnTitle(x);
  const more = [
    series && `for each ${series.name}`,
    colour && `coloured by ${colour.name}`,
    size && `sized by ${size.name}`,
  ].filter((words) => words !== undefined);
  return `${kinds[spec.kind]}: ${[what, ...more].join(", ")}`;
}

/** `Line chart: CO2 by Date` → `CO2 by Date`. */
export const headingOf = (name: string): string => name.slice(name.indexOf(":") + 1).trim();
