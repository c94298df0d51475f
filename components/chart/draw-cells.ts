import { spanEnd } from "@/lib/engine/types/spans";
import { formatCount } from "@/lib/kernel/format";
import { type ChartInput, PointReader, seriesOf } from "./chart-data";
import type { ChartColumn } from "./chart-spec";
import { leftOutNotes, rowFacts } from "./chart-text";
import { type Drawing, type Mark, round } from "./drawing";
import { axisColumn, type Frame, frameOf, type Size } from "./frame";
import { withLooks } from "./point-looks";
import { extentOf, type Span } from "./position-scale";

/** Shades of density. */
export const SHADES = 5;

/** How many rows lie in each cell of a grid, as shades. */
export function drawCells(input: ChartInput, size: Size): Drawing {
  const { x, y = x, xMeasure, rows } = input;
  const reader = new PointReader(input);
  const cells = rows.flatMap((row, at) => {
    const point = reader.read(at, "xy");
    const count = Number(String(row[input.spec.count ?? ""] ?? 0));
    return point ? [{ x: [point.x, endOf(x, point.x)], y: [point.y, endOf(y, point.y)], count, row: at } as const] : [];
  });
  const spanOf = (axis: "x" | "y"): Span => extentOf(cells.flatMap((cell) => cell[axis])) ?? [0, 1];
  const frame = frameOf(
    size,
    { column: axisColumn(x), measure: xMeasure, domain: spanOf("x"), nice: false },
    { column: axisColumn(y), measure: "number", domain: spanOf("y"), nice: false },
  );
  const shadeOf = shades(cells.map(({ count }) => count));
  const looks = withLooks(
    input,
    seriesOf(input),
    cells.map((cell) => markOf(cell, shadeOf(cell.count), frame, input)),
  );
  return {
    ...size,
    ...looks,
    plot: frame.plot,
    axes: frame.axes,
    lines: [],
    ...(!input.colour && { shades: shadeTexts(cells.map(({ count }) => count)) }),
    notes: [...leftOutNotes({ rows: rows.length, missing: reader.missing, unplaced: reader.unplaced }), ...looks.notes],
    x: frame.x,
    y: frame.y,
  };
}

const endOf = (column: ChartColumn, start: number): number =>
  column.span === undefined ? start + (column.width ?? 0) : spanEnd(start, column.span);

interface Cell {
  x: readonly [number, number];
  y: readonly [number, number];
  count: number;
  row: number;
}

function markOf(cell: Cell, shade: number, { x, y }: Frame, input: ChartInput): Mark {
  const [left, right] = cell.x.map((edge) => x.at(edge)).sort((a, b) => a - b) as [number, number];
  const [top, bottom] = cell.y.map((edge) => y.at(edge)).sort((a, b) => a - b) as [number, number];
  const box = { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
  return {
    shape: "cell",
    series: 0,
    ...box,
    hit: box,
    shade,
    facts: [...rowFacts(input, cell.row), { name: "rows", value: formatCount(cell.count) }],
    row: cell.row,
  };
}

/** Equal ratios of counts are equal steps of shade, so that a few dense cells do not hide the others. */
export function shades(counts: readonly number[]): (count: number) => number {
  const edges = shadeEdges(counts);
  return (count) => Math.max(1, edges.filter((edge) => count >= edge).length + SHADES - edges.length);
}

function shadeEdges(counts: readonly number[]): number[] {
  const most = Math.max(1, ...counts);
  const steps = Array.from({ length: SHADES }, (_, at) => Math.max(1, Math.round(most ** (at / SHADES))));
  return [...new Set(steps)];
}

/** `1 to 9`, `10 to 99`: what the shades stand for, from the lightest. */
export function shadeTexts(counts: readonly number[]): string[] {
  const edges = shadeEdges(counts);
  const most = Math.max(1, ...counts);
  return edges.map((edge, at) => {
    const last = (edges[at + 1] ?? most + 1) - 1;
    return last <= edge ? formatCount(edge) : `${formatCount(edge)} to ${formatCount(last)}`;
  });
}
