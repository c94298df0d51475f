import { stringify } from "lossless-json";
import { valueText } from "@/components/values/value-text";
import type { ChartColumn, ChartRow, ChartSpec } from "./chart-spec";
import { type Measure, measureOf, positionOf } from "./measure";
import { spanText } from "./span-text";

/** The number of distinguishable colours. */
export const SERIES_MAX = 8;

export interface Point {
  x: number;
  y: number;
  /** Index of the row in the result. */
  row: number;
}

export interface Series {
  label: string;
  /** Rows of the result, in its order. */
  rows: number[];
}

/** What a drawing leaves out, to be reported. */
export interface LeftOut {
  rows: number;
  /** Rows with null where a value is drawn. */
  missing: number;
  /** Rows with NaN or infinity there. */
  unplaced: number;
}

/** A chart's columns in the result; undefined if one is missing or cannot be drawn this way. */
export interface ChartInput {
  spec: ChartSpec;
  x: ChartColumn;
  y: ChartColumn | undefined;
  series: ChartColumn | undefined;
  /** What colours points continuously. */
  colour: ChartColumn | undefined;
  /** What sizes points. */
  size: ChartColumn | undefined;
  xMeasure: Measure;
  rows: readonly ChartRow[];
}

export function chartInput(
  spec: ChartSpec,
  columns: readonly ChartColumn[],
  rows: readonly ChartRow[],
): ChartInput | undefined {
  const named = (name: string | undefined) => columns.find((column) => column.name === name);
  const [x, y, series, size] = [spec.x, spec.y, spec.series, spec.size].map(named);
  if (!x || (spec.y && !y) || (spec.series && !series) || (spec.size && !size)) return undefined;
  const xMeasure = measureOf(x.type);
  if (!isDrawable(spec, xMeasure, y)) return undefined;
  return { spec, x, y, ...looksOf(spec, series, size), xMeasure, rows };
}

function isDrawable({ kind }: ChartSpec, xMeasure: Measure, y: ChartColumn | undefined): boolean {
  if (kind !== "bar" && xMeasure === "category") return false;
  return y ? measureOf(y.type) === "number" : kind === "histogram";
}

function looksOf(
  { kind }: ChartSpec,
  series: ChartColumn | undefined,
  size: ChartColumn | undefined,
): Pick<ChartInput, "series" | "colour" | "size"> {
  const isPoints = kind === "scatter" || kind === "map";
  const isColour = isPoints && series !== undefined && measureOf(series.type) !== "category";
  return {
    series: kind === "histogram" || isColour ? undefined : series,
    colour: isColour ? series : undefined,
    size: isPoints && size && measureOf(size.type) === "number" ? size : undefined,
  };
}

/** A category's name for people; null and the empty string also have one. */
export const categoryText = (value: unknown, column: ChartColumn): string =>
  spanText(value, column) ?? valueText(value, column) ?? "null";

/** Whether a span has rows for a part of it alone. */
export const isPartialSpan = ({ partial = [] }: ChartColumn, start: number): boolean =>
  partial.some((one) => Number(one) === start); // a number of a chart that came with the page keeps its digits

/** Equal strings for equal values, whatever their type. */
export const keyOf = (value: unknown): string => stringify(value) ?? "null";

/** Kinds are shown in different colours up to `SERIES_MAX`; `rest` are the rows of all others. */
export interface SeriesParts {
  shown: Series[];
  rest: number[];
  all: number;
}

/** The rows of each series, in order of first appearance: of too many, those with the most rows. */
export function seriesOf({ rows, series: column, y }: ChartInput): SeriesParts {
  if (!column) return { shown: [{ label: y?.name ?? "rows", rows: rows.map((_, at) => at) }], rest: [], all: 1 };
  const kinds = new Map<string, Series>();
  for (const [at, row] of rows.entries()) {
    const value = row[column.name];
    const kind = kinds.get(keyOf(value)) ?? { label: categoryText(value, column), rows: [] };
    kind.rows.push(at);
    kinds.set(keyOf(value), kind);
  }
  const all = [...kinds.values()];
  const kept = new Set([...all].sort((a, b) => b.rows.length - a.rows.length).slice(0, SERIES_MAX));
  return {
    shown: all.filter((kind) => kept.has(kind)),
    rest: all.flatMap((kind) => (kept.has(kind) ? [] : kind.rows)),
    all: all.length,
  };
}

/** Reads positions of rows and counts those without one. */
export class PointReader {
  missing = 0;
  unplaced = 0;

  constructor(private readonly input: ChartInput) {}

  /** The x position of a row without a value: a line breaks there. */
  gapAt(row: number): number | undefined {
    const { rows, x, y, xMeasure } = this.input;
    const values = rows[row] ?? {};
    const at = positionOf(values[x.name], xMeasure);
    const isGap = y !== undefined && !Number.isFinite(positionOf(values[y.name], "number") ?? Number.NaN);
    return isGap && at !== null && Number.isFinite(at) ? at : undefined;
  }

  /** The row's position, or undefined if it has none on the axes. */
  read(row: number, axes: "x" | "y" | "xy"): Point | undefined {
    const { rows, x: xColumn, y: yColumn, xMeasure } = this.input;
    const values = rows[row] ?? {};
    const x = axes.includes("x") ? positionOf(values[xColumn.name], xMeasure) : 0;
    const y = axes.includes("y") && yColumn ? positionOf(values[yColumn.name], "number") : 0;
    if (x === null || y === null) this.missing += 1;
    else if (Number.isNaN(x) || Number.isNaN(y)) this.unplaced += 1;
    else return { x, y, row };
    return undefined;
  }
}
