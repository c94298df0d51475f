import { scaleLinear, scaleUtc } from "d3-scale";
import type { ChartColumn } from "./chart-spec";
import type { Measure } from "./measure";
import type { Span } from "./position-scale";

const BINS = 24;

/** One bar of a histogram: values from `from` to below `to`, or all values outside of the regular bins. */
export interface BinRow {
  from: number;
  to: number;
  rows: number;
  outside?: "below" | "above" | undefined;
  /** The last bin holds its upper edge. */
  isLast?: boolean | undefined;
}

/** The columns of a histogram's rows: x with its unit, and what is counted or summed. */
export const binRowColumns = (x: ChartColumn, y: ChartColumn | undefined): ChartColumn[] => [
  { name: x.name, type: x.type, unit: x.unit },
  ...(y ? [{ name: y.name, type: y.type, unit: y.unit }] : []),
];

/** Round edges around both ends; whole numbers are never split, and the last one starts a step. */
export const binEdges = ([low, high]: Span, measure: Measure, whole: boolean): number[] =>
  measure === "number" ? numberEdges(low, whole ? high + 1 : high, whole) : timeEdges(low, high);

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
