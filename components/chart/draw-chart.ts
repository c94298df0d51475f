import { chartInput } from "./chart-data";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { chartName } from "./chart-words";
import { drawBarsAcross } from "./draw-bars";
import { drawColumns } from "./draw-columns";
import { drawHistogram } from "./draw-histogram";
import { drawPoints } from "./draw-points";
import type { Drawing } from "./drawing";

export interface ChartProblem {
  problem: string;
}

export const CHART_HEIGHT = 320;
/** Narrower than this, nothing can be read. */
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
): (Drawing & { name: string }) | ChartProblem {
  const input = chartInput(spec, columns, rows);
  if (!input) return { problem: problemOf(spec, columns) };
  const size = { width: Math.max(WIDTH_MIN, Math.round(width)), height: CHART_HEIGHT };
  const isAcross = spec.kind === "bar" && input.xMeasure === "category";
  const draw =
    spec.kind === "histogram"
      ? drawHistogram
      : spec.kind !== "bar"
        ? drawPoints
        : isAcross
          ? drawBarsAcross
          : drawColumns;
  const drawing = draw(input, size);
  if (drawing.marks.length === 0)
    return {
      problem: [rows.length === 0 ? "No rows to draw." : "None of these rows can be drawn.", ...drawing.notes].join(
        " ",
      ),
    };
  return { ...drawing, name: chartName(input) };
}

function problemOf({ kind, x, y, series }: ChartSpec, columns: readonly ChartColumn[]): string {
  const missing = [x, y, series].find((name) => name && !columns.some((column) => column.name === name));
  if (missing) return `The result has no column ${missing} to draw.`;
  return (
    `A ${kind} chart needs ` +
    `${kind === "bar" ? "a number for the length of its bars" : "numbers or times on its axes"}.`
  );
}
