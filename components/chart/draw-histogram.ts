import { scaleLinear, scaleUtc } from "d3-scale";
import { withUnit } from "@/components/values/unit-text";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { formatCount } from "@/lib/kernel/format";
import { type ChartInput, PointReader } from "./chart-data";
import { columnTitle, leftOutNotes } from "./chart-words";
import type { Drawing, Mark } from "./drawing";
import { round } from "./drawing";
import { axisColumn, type Frame, frameOf, type Size } from "./frame";
import type { Measure } from "./measure";
import { extentOf, type Span } from "./position-scale";
import { shortNumber, tickTexts } from "./tick-text";

const BINS = 24;

interface Bin {
  from: number;
  to: number;
  size: number;
}

/** The number of values in bins between round edges; with `y`, its sum in each. */
export function drawHistogram(input: ChartInput, size: Size): Drawing {
  const reader = new PointReader(input);
  const points = input.rows.flatMap((_, row) => reader.read(row, input.y ? "xy" : "x") ?? []);
  const extent = extentOf(points.map(({ x }) => x));
  const bins = binsOf(extent ?? [0, 1], input.xMeasure, isWhole(input));
  for (const { x, y } of points) {
    const bin = bins[Math.min(bins.length, bins.filter(({ from }) => from <= x).length) - 1];
    if (bin) bin.size = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, bin.size + (input.y ? y : 1)));
  }
  const heights = extentOf([0, ...bins.map((bin) => bin.size)]) ?? [0, 1];
  const yColumn = { title: input.y ? `${columnTitle(input.y)}, summed` : "rows", isName: false };
  const frame = frameOf(
    size,
    {
      column: axisColumn(input.x),
      measure: input.xMeasure,
      domain: [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1],
      nice: false,
    },
    { column: yColumn, measure: "number", domain: heights[1] > heights[0] ? heights : [0, 1], nice: true },
  );
  return {
    ...size,
    plot: frame.plot,
    axes: frame.axes.map((axis) => (axis.side === "left" ? { ...axis, base: round(frame.y.at(0)) } : axis)),
    lines: [],
    marks: extent ? bins.map((bin, at) => markOf(bin, at === bins.length - 1, frame, input)) : [],
    legend: [],
    notes: leftOutNotes(
      { rows: input.rows.length, missing: reader.missing, unplaced: reader.unplaced, seriesShown: 1, series: 1 },
      undefined,
    ),
  };
}

const isWhole = ({ x }: ChartInput): boolean => parseColumnType(x.type)?.profile.histogram === "whole";

/** Bins between round edges around both ends; whole numbers are never split, and the last of them begins a step. */
function binsOf([low, high]: Span, measure: Measure, whole: boolean): Bin[] {
  const edges = measure === "number" ? numberEdges(low, whole ? high + 1 : high, whole) : timeEdges(low, high);
  return edges.slice(0, -1).map((from, at) => ({ from, to: edges[at + 1] ?? from, size: 0 }));
}

function numberEdges(low: number, high: number, whole: boolean): number[] {
  if (!(high - low > 1e-280) || !Number.isFinite(high - low)) return low < high ? [low, high] : onlyBin(low);
  const count = whole ? Math.min(BINS, Math.ceil(high - low)) : BINS;
  const scale = scaleLinear([low, high], [0, 1]).nice(count);
  return closed(scale.ticks(count), low, high);
}

/** A bin around one number; doubles are finite, and its upper edge belongs to the last bin. */
function onlyBin(value: number): number[] {
  const pad = Math.max(1, Math.abs(value) / 10);
  return Number.isFinite(value + pad) ? [value, value + pad] : [value - pad, value];
}

function timeEdges(low: number, high: number): number[] {
  if (low === high) return [low, low + 86_400_000];
  const scale = scaleUtc([low, high], [0, 1]).nice(BINS);
  return closed(
    scale.ticks(BINS).map((tick) => tick.getTime()),
    low,
    high,
  );
}

/** Edges reach both ends and are distinct, however close the doubles are. */
function closed(ticks: readonly number[], low: number, high: number): number[] {
  const inner = ticks.filter((tick, at) => at === 0 || tick > (ticks[at - 1] ?? tick));
  const first = inner[0] === undefined || inner[0] > low ? [low] : [];
  const last = inner.at(-1) === undefined || (inner.at(-1) ?? high) < high ? [high] : [];
  return [...first, ...inner, ...last];
}

function markOf(bin: Bin, isLast: boolean, { x, y, plot }: Frame, input: ChartInput): Mark {
  const [left, right] = [x.at(bin.from), x.at(bin.to)];
  const [base, top] = [y.at(0), y.at(bin.size)];
  const gap = right - left > 4 ? 1 : 0;
  return {
    shape: "bar",
    series: 0,
    x: round(left + gap / 2),
    y: round(Math.min(base, top)),
    width: round(Math.max(0.5, right - left - gap)),
    height: bin.size === 0 ? 0 : round(Math.max(1, Math.abs(base - top))),
    hit: { x: round(left), y: plot.top, width: round(right - left), height: plot.height },
    facts: [
      { name: input.x.name, value: binText(bin, isLast, input) },
      { name: input.y?.name ?? "rows", value: input.y ? shortNumber(bin.size) : formatCount(bin.size) },
    ],
  };
}

function binText({ from, to }: Bin, isLast: boolean, input: ChartInput): string {
  const { x, xMeasure } = input;
  const text = (value: number) => (xMeasure === "number" ? edgeText(value, x.name) : instantText(value, xMeasure));
  const measured = (range: string) => (x.unit ? withUnit(range, x.unit) : range);
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
