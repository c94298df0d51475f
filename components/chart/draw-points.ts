import { line } from "d3-shape";
import { isSpan, spanEnd } from "@/lib/engine/types/spans";
import { formatPlural } from "@/lib/kernel/format";
import { type ChartInput, isPartialSpan, type Point, PointReader, seriesOf } from "./chart-data";
import type { ChartColumn } from "./chart-spec";
import { leftOutNotes, rowFacts } from "./chart-text";
import type { Drawing, LinePath, Mark } from "./drawing";
import { round } from "./drawing";
import { axisColumn, type Frame, frameOf, type Size } from "./frame";
import { withLooks } from "./point-looks";
import { extentOf, type Span } from "./position-scale";

/** A line whose minimum is this close to zero, relative to its maximum, is drawn from zero. */
const ZERO_NEAR = 0.5;
const POINT_RADIUS = 3.5;

/** Lines through points in the order of x, or only the points. */
export function drawPoints(input: ChartInput, size: Size): Drawing {
  const reader = new PointReader(input);
  const parts = seriesOf(input);
  const isLine = input.spec.kind === "line";
  const kinds = isLine ? parts.shown.map(({ rows }) => rows) : [...parts.shown.map(({ rows }) => rows), parts.rest];
  const read = kinds.map((rows) => rows.flatMap((row) => reader.read(row, "xy") ?? []));
  const isLog = input.spec.log === true && read.some((points) => points.some(({ y }) => y > 0));
  const series = isLog ? read.map((points) => points.filter(({ y }) => y > 0)) : read;
  if (isLine) for (const points of series) points.sort((a, b) => a.x - b.x || a.row - b.row);
  const frame = frameOf(size, ...endsOf(input, series.flat(), isLine, isLog));
  const below = read.flat().length - series.flat().length;
  const marks = series.flatMap((points, at) => points.map((point) => markOf(point, at, isLine, frame, input)));
  const looks = withLooks(input, isLine ? { ...parts, rest: [] } : parts, marks);
  return {
    ...size,
    ...looks,
    plot: frame.plot,
    axes: frame.axes,
    lines: isLine
      ? series.map((points, at) => ({
          series: at,
          ...linePaths(points, [...gapsOf(kinds[at] ?? [], reader), ...missingSpans(points, input.x)], input.x, frame),
        }))
      : [],
    notes: [
      ...leftOutNotes({ rows: input.rows.length, missing: reader.missing, unplaced: reader.unplaced }),
      ...looks.notes,
      ...(isLog ? ["The vertical axis is logarithmic."] : []),
      ...(below > 0 ? [`Not shown on it: ${formatPlural(below, "value")} of 0 or less.`] : []),
    ],
    x: frame.x,
    ...(!isLine && { y: frame.y }),
  };
}

function endsOf(
  input: ChartInput,
  points: readonly Point[],
  isLine: boolean,
  isLog: boolean,
): [Parameters<typeof frameOf>[1], Parameters<typeof frameOf>[2]] {
  const { x, y = x, xMeasure } = input;
  const xDomain = extentOf(points.map((point) => point.x)) ?? [0, 1];
  const yDomain = extentOf(points.map((point) => point.y)) ?? [0, 1];
  return [
    { column: axisColumn(x), measure: xMeasure, domain: xDomain, nice: !isLine },
    {
      column: axisColumn(y),
      measure: "number",
      domain: isLine && !isLog ? fromZero(yDomain) : yDomain,
      nice: true,
      log: isLog,
    },
  ];
}

const fromZero = ([low, high]: Span): Span => (low > 0 && low < high * ZERO_NEAR ? [0, high] : [low, high]);

type Gap = Pick<Point, "x" | "row">;

const gapsOf = (rows: readonly number[], reader: PointReader): Gap[] =>
  rows.flatMap((row) => {
    const x = reader.gapAt(row);
    return x === undefined ? [] : [{ x, row }];
  });

/** Where spans have no rows: a line over them would claim values between. */
const missingSpans = (points: readonly Point[], { span }: ChartColumn): Gap[] =>
  span === undefined || !isSpan(span)
    ? []
    : points.flatMap(({ x, row }, at) => {
        const [next, end] = [points[at + 1], spanEnd(x, span)];
        return next && next.x > end ? [{ x: end, row }] : [];
      });

/** The line through complete spans, with circles for incomplete ones: a line to them would look like a fall. */
function linePaths(
  points: readonly Point[],
  gaps: readonly Gap[],
  x: ChartColumn,
  frame: Frame,
): Omit<LinePath, "series"> {
  const [partial, whole] = [true, false].map((wanted) =>
    points.filter((one) => isPartialSpan(x, one.x) === wanted),
  ) as [Point[], Point[]];
  const circles = partial.map((point) => circle(round(frame.x.at(point.x)), round(frame.y.at(point.y))));
  return { path: linePath(whole, gaps, frame), ...(circles.length > 0 && { partial: circles.join("") }) };
}

const CIRCLE = 3;

const circle = (x: number, y: number): string =>
  `M${x - CIRCLE} ${y}a${CIRCLE} ${CIRCLE} 0 1 0 ${2 * CIRCLE} 0a${CIRCLE} ${CIRCLE} 0 1 0 ${-2 * CIRCLE} 0`;

/** Joins consecutive points; where a row has no value, the line is interrupted. */
function linePath(points: readonly Point[], gaps: readonly Gap[], { x, y }: Frame): string {
  const stops: (Gap & { y?: number })[] =
    gaps.length > 0 ? [...points, ...gaps].sort((a, b) => a.x - b.x || a.row - b.row) : [...points];
  const path = line<Gap & { y?: number }>(
    (stop) => round(x.at(stop.x)),
    (stop) => round(y.at(stop.y ?? 0)),
  )
    .defined((stop) => stop.y !== undefined)
    .digits(2);
  return path(stops) ?? "";
}

function markOf(point: Point, series: number, isLine: boolean, { x, y }: Frame, input: ChartInput): Mark {
  const [left, top] = [round(x.at(point.x)), round(y.at(point.y))];
  const hit = { x: left - POINT_RADIUS, y: top - POINT_RADIUS, width: 2 * POINT_RADIUS, height: 2 * POINT_RADIUS };
  return {
    shape: isLine ? "vertex" : "point",
    series,
    x: left,
    y: top,
    width: 0,
    height: 0,
    hit,
    facts: rowFacts(input, point.row),
    row: point.row,
    ...(isPartialSpan(input.x, point.x) && { isPartial: true }),
  };
}
