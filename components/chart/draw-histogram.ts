import { withUnit } from "@/components/values/unit-text";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { formatCount } from "@/lib/kernel/format";
import { type BinRow, binEdges } from "./bin-edges";
import { type ChartInput, PointReader } from "./chart-data";
import { columnTitle, leftOutNotes } from "./chart-text";
import type { Drawing, Mark } from "./drawing";
import { round } from "./drawing";
import { axisColumn, type Frame, frameOf, type Size } from "./frame";
import type { Measure } from "./measure";
import { extentOf } from "./position-scale";
import { shortNumber, tickTexts } from "./tick-text";

/** The number of values in bins between round edges; with `y`, its sum in each. */
export function drawHistogram(input: ChartInput, size: Size): Drawing {
  const { bins, notes } = input.spec.binned ? { bins: input.rows.map(readBin), notes: [] } : binsOfRows(input);
  const heights = extentOf([0, ...bins.map((bin) => bin.rows)]) ?? [0, 1];
  const yColumn = { title: input.y ? `sum of ${columnTitle(input.y)}` : "rows", isName: false };
  const frame = frameOf(
    size,
    { column: axisColumn(input.x), measure: input.xMeasure, domain: domainOf(bins), nice: false },
    { column: yColumn, measure: "number", domain: heights[1] > heights[0] ? heights : [0, 1], nice: true },
  );
  return {
    ...size,
    plot: frame.plot,
    axes: frame.axes.map((axis) => (axis.side === "left" ? { ...axis, base: round(frame.y.at(0)) } : axis)),
    lines: [],
    marks: bins.map((bin, at) => markOf(bin, at, bins.length, frame, input)),
    legend: [],
    notes,
    x: frame.x,
  };
}

/** A bin of a reply, with numbers that were written as JSON. */
function readBin(row: Readonly<Record<string, unknown>>): BinRow {
  const [from, to, rows] = [row.from, row.to, row.rows].map((value) => Number(String(value)));
  const outside = row.outside === "below" || row.outside === "above" ? row.outside : undefined;
  return { from: from ?? 0, to: to ?? 0, rows: rows ?? 0, outside };
}

function binsOfRows(input: ChartInput): { bins: BinRow[]; notes: string[] } {
  const reader = new PointReader(input);
  const points = input.rows.flatMap((_, row) => reader.read(row, input.y ? "xy" : "x") ?? []);
  const extent = extentOf(points.map(({ x }) => x));
  const edges = extent ? binEdges(extent, input.xMeasure, isWhole(input)) : [];
  const bins: BinRow[] = edges.slice(0, -1).map((from, at) => ({ from, to: edges[at + 1] ?? from, rows: 0 }));
  for (const { x, y } of points) {
    const bin = bins[Math.min(bins.length, bins.filter(({ from }) => from <= x).length) - 1];
    if (bin) bin.rows = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, bin.rows + (input.y ? y : 1)));
  }
  const left = { rows: input.rows.length, missing: reader.missing, unplaced: reader.unplaced };
  return { bins, notes: leftOutNotes(left) };
}

/** The regular bins, with room for those of all values outside of them. */
function domainOf(bins: readonly BinRow[]): readonly [number, number] {
  const regular = bins.filter(({ outside }) => !outside);
  const [low = 0, high = 1] = [regular[0]?.from ?? bins[0]?.from, regular.at(-1)?.to ?? bins.at(-1)?.to];
  const room = ((high - low) / Math.max(1, regular.length)) * OUTSIDE_BINS;
  const has = (side: BinRow["outside"]) => bins.some(({ outside }) => outside === side);
  return [has("below") ? low - room : low, has("above") ? high + room : high];
}

/** How wide the bin of outliers is drawn, in regular bins, with a gap before it. */
const OUTSIDE_BINS = 1.75;
const OUTSIDE_GAP = 6;

const isWhole = ({ x }: ChartInput): boolean => parseColumnType(x.type)?.profile.histogram === "whole";

/** Where a bin is drawn. Outliers are set apart. */
function placeOf({ from, to, outside }: BinRow, { x }: Frame): [left: number, right: number] {
  const [low, high] = x.domain;
  if (outside === "below") return [x.at(low), x.at(to) - OUTSIDE_GAP];
  if (outside === "above") return [x.at(from) + OUTSIDE_GAP, x.at(high)];
  return [x.at(from), x.at(to)];
}

function markOf(bin: BinRow, at: number, bins: number, frame: Frame, input: ChartInput): Mark {
  const { y, plot } = frame;
  const [left, right] = placeOf(bin, frame);
  const [base, top] = [y.at(0), y.at(bin.rows)];
  const gap = right - left > 4 ? 1 : 0;
  return {
    shape: "bar",
    series: 0,
    x: round(left + gap / 2),
    y: round(Math.min(base, top)),
    width: round(Math.max(0.5, right - left - gap)),
    height: bin.rows === 0 ? 0 : round(Math.max(1, Math.abs(base - top))),
    hit: { x: round(left), y: plot.top, width: round(right - left), height: plot.height },
    facts: [
      { name: input.x.name, value: binText(bin, at === bins - 1, input) },
      { name: input.y?.name ?? "rows", value: input.y ? shortNumber(bin.rows) : formatCount(bin.rows) },
    ],
    ...(input.spec.binned && { row: at }),
  };
}

function binText({ from, to, outside }: BinRow, isLast: boolean, input: ChartInput): string {
  const { x, xMeasure } = input;
  const text = (value: number) => (xMeasure === "number" ? edgeText(value, x.name) : instantText(value, xMeasure));
  const measured = (range: string) => (x.unit ? withUnit(range, x.unit) : range);
  if (outside === "below") return measured(`below ${text(to)}`);
  if (outside === "above") return measured(`${text(from)} and above`);
  if (isWhole(input)) return measured(to - from <= 1 ? text(from) : `${text(from)} to ${text(to - 1)}`);
  return measured(`${text(from)} to ${isLast ? "" : "under "}${text(to)}`);
}

const edgeText = (value: number, name: string): string =>
  Number.isInteger(value) && !/year/i.test(name) ? formatCount(value) : String(value);

function instantText(value: number, measure: Measure): string {
  if (measure === "clock") return tickTexts([value], "clock")[0] ?? "";
  return new Date(value)
    .toISOString()
    .replace("T", " ")
    .replace(/ 00:00:00\.000Z$|(:00)?\.000Z$|Z$/, "");
}
