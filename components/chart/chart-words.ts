import { unitText, withUnit } from "@/components/values/unit-text";
import { valueText } from "@/components/values/value-text";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { ChartInput, LeftOut } from "./chart-data";
import type { ChartColumn, ChartRow } from "./chart-spec";
import type { Fact } from "./drawing";

/** A column's name with its unit, unless the name contains it. */
export const columnTitle = ({ name, unit }: ChartColumn): string =>
  unit && !name.endsWith(`(${unit})`) ? `${name}, ${unitText(unit)}` : name;

/** A value as in the result, with all its digits and its unit. */
function exactText(row: ChartRow | undefined, column: ChartColumn): string {
  const text = valueText(row?.[column.name], column);
  if (text === null) return "null";
  return column.unit ? withUnit(text, column.unit) : text || "empty string";
}

/** A mark's row in words: what it is, what it measures, what it belongs to. */
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
  const are = (count: number) => (count === 1 ? "is" : "are");
  if (missing > 0)
    notes.push(`${formatCount(missing)} of ${formatPlural(rows, "row")} without a value ${are(missing)} not drawn.`);
  if (unplaced > 0)
    notes.push(
      `${formatCount(unplaced)} of ${formatPlural(rows, "row")} with NaN or infinity ${are(unplaced)} not drawn.`,
    );
  if (series > seriesShown)
    notes.push(`The first ${seriesShown} of ${formatCount(series)} values of ${seriesName ?? "the series"} are drawn.`);
  return notes;
}

/** What a chart shows, for people who cannot see it. */
export function chartName({ spec, x, y, series }: ChartInput): string {
  const kinds = { line: "Line chart", bar: "Bar chart", histogram: "Histogram", scatter: "Scatter plot" };
  const what = y ? `${columnTitle(y)} by ${columnTitle(x)}` : columnTitle(x);
  return `${kinds[spec.kind]}: ${what}${series ? `, for each ${series.name}` : ""}`;
}
