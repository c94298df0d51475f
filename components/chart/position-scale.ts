import { scaleLinear, scaleLog, scaleUtc } from "d3-scale";
import type { Measure } from "./measure";

export type Span = readonly [low: number, high: number];

/** Maps values of a continuous axis to pixels. */
export interface PositionScale {
  domain: Span;
  at(value: number): number;
  /** The value at a position: the inverse of `at`. */
  value(position: number): number;
  ticks(count: number): number[];
}

/** The drawing libraries compute spans and steps, which overflow for doubles near their limits. */
const HUGE = 1e300;
const TINY = 1e-280;
const SHRINK = 2 ** -40;
const GROW = 2 ** 200;
const DAY_MS = 86_400_000;

export interface AxisLook {
  nice: boolean;
  /** Only for positive numbers. */
  log?: boolean | undefined;
}

/** An axis over `domain`, widened to round ends if `nice` or if it is empty. */
export function positionScale(measure: Measure, domain: Span, range: Span, { nice, log }: AxisLook): PositionScale {
  if (log && domain[0] > TINY && domain[1] < HUGE) return logScale(domain, range);
  return measure === "number"
    ? numberScale(widened(domain, 1), range, nice)
    : timeScale(widened(domain, DAY_MS / 2), range, measure);
}

function widened([low, high]: Span, by: number): Span {
  if (low < high) return [low, high];
  const pad = Math.max(by, Math.abs(low) / 10);
  return Number.isFinite(low - pad) && Number.isFinite(low + pad) ? [low - pad, low + pad] : [low / 2, low];
}

function numberScale([low, high]: Span, range: Span, nice: boolean): PositionScale {
  const factor = Math.max(Math.abs(low), Math.abs(high)) > HUGE ? SHRINK : high - low < TINY ? GROW : 1;
  const ends = [low * factor, high * factor].sort((a, b) => a - b) as [number, number];
  const scale = scaleLinear(ends, range);
  if (nice) scale.nice(6);
  const [first = 0, last = 1] = scale.domain();
  return {
    domain: [first / factor, last / factor],
    at: (value) => scale(value * factor),
    value: (position) => scale.invert(position) / factor,
    ticks: (count) => [...new Set(scale.ticks(count).map((tick) => tick / factor))].filter(Number.isFinite),
  };
}

/** Equal ratios are equally far apart; the axis starts and ends at a power of ten, or within one. */
function logScale([low, high]: Span, range: Span): PositionScale {
  const scale = scaleLog(low < high ? [low, high] : [low / 2, high * 2], range);
  if (high / low > 10) scale.nice();
  const [first = 1, last = 10] = scale.domain();
  return {
    domain: [first, last],
    at: (value) => scale(value),
    value: (position) => scale.invert(position),
    ticks: (count) => logTicks(scale.ticks(count), count),
  };
}

/** The powers of ten if there are enough, else also values between them, as space permits. */
function logTicks(ticks: readonly number[], count: number): number[] {
  const powers = ticks.filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  if (powers.length >= 3) return powers.filter((_, at) => at % Math.ceil(powers.length / (count + 1)) === 0);
  return ticks.filter((_, at) => at % Math.ceil(ticks.length / (count + 1)) === 0);
}

/** Time is not rounded: the axis starts at the first value and ends at the last. */
function timeScale(domain: Span, range: Span, measure: Measure): PositionScale {
  const scale = scaleUtc(domain, range);
  if (measure === "clock") scale.nice(6);
  const [first = new Date(0), last = new Date(0)] = scale.domain();
  return {
    domain: [first.getTime(), last.getTime()],
    at: (value) => scale(value),
    value: (position) => scale.invert(position).getTime(),
    ticks: (count) => scale.ticks(count).map((tick) => tick.getTime()),
  };
}

/** The minimum and maximum of finite numbers; undefined if there are none. */
export function extentOf(values: Iterable<number>): Span | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}
