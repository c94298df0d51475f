import { formatCount } from "@/lib/kernel/format";
import { barGroups } from "./bar-groups";
import { type ChartInput, chartInput, seriesOf } from "./chart-data";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";

/** Which values a chart does not have room for: `8 of 229 values of origin`. Empty where it shows all of them. */
export function drawnParts(spec: ChartSpec, columns: readonly ChartColumn[], rows: readonly ChartRow[]): string[] {
  const input = chartInput(spec, columns, rows);
  if (!input || (spec.kind !== "bar" && spec.kind !== "line")) return [];
  const { series, x } = input;
  if (spec.kind === "line") {
    const { shown, all } = seriesOf(input);
    return partOf(shown.length, all, series?.name);
  }
  const bars = barGroups(input, directionOf(input));
  return [
    ...partOf(bars.groups.length, bars.all.groups, x.name),
    ...partOf(bars.series.length, bars.all.series, series?.name),
  ];
}

const directionOf = ({ xMeasure }: ChartInput): "across" | "up" => (xMeasure === "category" ? "across" : "up");

const partOf = (shown: number, all: number, name: string | undefined): string[] =>
  name !== undefined && all > shown ? [`${formatCount(shown)} of ${formatCount(all)} values of ${name}`] : [];
