import { unitText, withUnit } from "@/components/values/unit-text";
import { computedText, valueText } from "@/components/values/value-text";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { ChartInput, LeftOut } from "./chart-data";
import type { ChartColumn, ChartRow } from "./chart-spec";
import type { Fact } from "./drawing";
import { spanText } from "./span-text";

/** A column's name with its unit, unless the name contains it. */
export const columnTitle = ({ name, unit }: ChartColumn): string =>
  unit && !name.endsWith(`(${unit})`) ? `${name}, ${unitText(unit)}` : name;

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
  column.name.startsWith("mean ") ? computedText(value, column) : valueText(value, column);

/** A mark's row as text: what it is, what it measures and what it belongs to. */
export function rowFacts({ rows, x, y, series }: ChartInput, at: number): Fact[] {
  const shown = [x, y, series].filter((column) => column !== undefined);
  return shown.map((column) => ({ name: column.name, value: exactText(rows[at], column) }));
}

/** `ORD, flights: 120,000, carrier: UA`. */
export const factsText = (facts: readonly Fact[]): string =>
  facts.map(({ name, value }, at) => (at === 0 ? value : `${name}: ${value}`)).join(", ");

/** What a chart does not show, in sentences. */
export function leftOutNotes(
  { rows, missing, unplaced, seriesShown, series }: LeftOut,
  seriesName: string | undefined,
): string[] {
  const notes: string[] = [];
  if (missing > 0) notes.push(`Not shown: ${formatCount(missing)} of ${formatPlural(rows, "row")} without a value.`);
  if (unplaced > 0)
    notes.push(`Not shown: ${formatCount(unplaced)} of ${formatPlural(rows, "row")} with NaN or infinity.`);
  if (series > seriesShown)
    notes.push(
      `Only the first ${seriesShown} of ${formatCount(series)} values of ${seriesName ?? "the series"} are shown.`,
    );
  return notes;
}

/** What a chart shows, for people who cannot see it. */
export function chartName({ spec, x, y, series }: ChartInput): string {
  const kinds = { line: "Line chart", bar: "Bar chart", histogram: "Histogram", scatter: "Scatter plot", map: "Map" };
  const what = spec.kind === "map" ? "Places" : y ? `${columnTitle(y)} by ${columnTitle(x)}` : columnTitle(x);
  return `${kinds[spec.kind]}: ${what}${series ? `, for each ${series.name}` : ""}`;
}
