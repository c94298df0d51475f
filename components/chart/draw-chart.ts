import { type ChartInput, chartInput } from "./chart-data";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { chartName } from "./chart-text";
import { drawBarsAcross } from "./draw-bars";
import { drawCells } from "./draw-cells";
import { drawColumns } from "./draw-columns";
import { drawHistogram } from "./draw-histogram";
import { drawMap } from "./draw-map";
import { drawPoints } from "./draw-points";
import type { Drawing } from "./drawing";
import type { Size } from "./frame";
import type { Land } from "./land";

export interface ChartProblem {
  problem: string;
}

export const CHART_HEIGHT = 320;
/** A narrower chart would be unreadable. */
const WIDTH_MIN = 220;

/**
 * The geometry of a chart at a width, or the reason why these columns cannot be drawn this way. Horizontal bars take as
 * much height as they need.
 */
export function drawChart(
  spec: ChartSpec,
  columns: readonly ChartColumn[],
  rows: readonly ChartRow[],
  width: number,
  land?: Land | undefined,
): (Drawing & { name: string }) | ChartProblem {
  const input = chartInput(spec, columns, rows);
  if (!input) return { problem: problemOf(spec, columns) };
  const size = { width: Math.max(WIDTH_MIN, Math.round(width)), height: CHART_HEIGHT };
  const isAcross = spec.kind === "bar" && input.xMeasure === "category";
  const drawing = spec.kind === "map" ? drawMap(input, size, land) : drawerOf(spec, isAcross)(input, size);
  if (drawing.marks.length === 0)
    return {
      problem: [rows.length === 0 ? "No rows to draw." : "None of these rows can be drawn.", ...drawing.notes].join(
        " ",
      ),
    };
  return { ...drawing, name: chartName(input) };
}

function drawerOf({ kind, count }: ChartSpec, isAcross: boolean): (input: ChartInput, size: Size) => Drawing {
  if (kind === "histogram") return drawHistogram;
  if (count !== undefined) return drawCells;
  if (kind !== "bar") return drawPoints;
  return isAcross ? drawBarsAcross : drawColumns;
}

function problemOf({ kind, x, y, series, size }: ChartSpec, columns: readonly ChartColumn[]): string {
  const missing = [x, y, series, size].find((name) => name && !columns.some((column) => column.name === name));
  if (missing) return `The result has no column ${missing} to draw.`;
  if (kind === "map") return "A map requires a longitude column and a latitude column.";
  return (
    `A ${kind} chart requires ` +
    `${kind === "bar" ? "a numeric column for the length of its bars" : "numbers or times on its axes"}.`
  );
}
