import { formatCount, groupDigits } from "@/lib/kernel/format";
import type { Measure } from "./measure";

const SIZES = [
  { least: 1e12, sign: "T" },
  { least: 1e9, sign: "B" },
  { least: 1e6, sign: "M" },
  { least: 1e4, sign: "k" },
] as const;
const DECIMALS_MAX = 3;
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The labels of an axis's ticks; `isName` for digits that are not a quantity, such as years. */
export function tickTexts(ticks: readonly number[], measure: Measure, isName = false): string[] {
  if (measure === "time") return ticks.map(timeTick);
  if (measure === "clock") return ticks.map(clockTick);
  if (isName) return ticks.map(String);
  return numberTicks(ticks);
}

/** All of one axis in the same unit and with the same decimals: `0`, `0.5M`, `1.0M`. */
function numberTicks(ticks: readonly number[]): string[] {
  const most = Math.max(...ticks.map(Math.abs), 0);
  const step = ticks.length > 1 ? Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0)) : most;
  if (most >= 1e16 || (most > 0 && step < 1e-6)) return exponents(ticks);
  const size = SIZES.find(({ least }) => most >= least);
  const unit = size ? size.least / (size.sign === "k" ? 10 : 1) : 1;
  const decimals = decimalsOf(step / unit);
  if (size && decimals <= DECIMALS_MAX)
    return ticks.map((tick) => (tick === 0 ? "0" : `${fixed(tick / unit, decimals)}${size.sign}`));
  return ticks.map((tick) => (tick === 0 ? "0" : fixed(tick, decimalsOf(step))));
}

/** The smallest number of digits that distinguishes the ticks. */
function exponents(ticks: readonly number[]): string[] {
  for (let digits = 3; digits < 17; digits++) {
    const texts = ticks.map((tick) => exponent(tick, digits));
    if (new Set(texts).size === ticks.length) return texts;
  }
  return ticks.map(String);
}

/** `1.5e300`; zero remains `0`. */
const exponent = (value: number, digits: number): string =>
  (value === 0
    ? "0"
    : value
        .toExponential(digits)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e")
  ).replace(/^-/, "\u2212");

function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 9; decimals++)
    if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6 * step * 10 ** decimals)
      return decimals;
  return 9;
}

const fixed = (value: number, decimals: number): string => groupDigits(value.toFixed(decimals)).replace(/^-/, "\u2212");

/** The largest unit that begins at a tick labels it: a year, a month, a day, an hour. */
function timeTick(tick: number): string {
  const date = new Date(tick);
  if (tick % DAY_MS !== 0) return clockTick(tick);
  if (date.getUTCDate() !== 1) return `${date.getUTCDate()} ${MONTH.format(date)}`;
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : MONTH.format(date);
}

function clockTick(tick: number): string {
  const text = new Date(tick).toISOString().slice(-13, -1);
  if (tick % MINUTE_MS === 0) return text.slice(0, 5);
  return tick % 1000 === 0 ? text.slice(0, 8) : text;
}

/** What the ticks of a time axis omit: `2001`, or `5 Jan 2001`; empty if they include it. */
export function timeContext(ticks: readonly number[]): string {
  const [first] = ticks;
  if (first === undefined) return "";
  const years = new Set(ticks.map((tick) => new Date(tick).getUTCFullYear()));
  const isTold = ticks.some((tick) => /^-?\d+$/.test(timeTick(tick)));
  if (years.size > 1 || isTold) return "";
  const days = new Set(ticks.map((tick) => Math.floor(tick / DAY_MS)));
  const date = new Date(first);
  const day =
    days.size === 1 && ticks.some((tick) => tick % DAY_MS !== 0) ? `${date.getUTCDate()} ${MONTH.format(date)} ` : "";
  return `${day}${date.getUTCFullYear()}`;
}

/** A measured number for the end of a bar: `1.23M`, `12,345`, `0.0123`. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) return exponent(value, 2);
  const large = SIZES.find(({ least }) => size >= least && least > 1e4);
  if (large) return `${Number((value / large.least).toPrecision(3))}${large.sign}`.replace(/^-/, "\u2212");
  const text = size >= 1000 ? formatCount(value) : String(Number(value.toPrecision(3)));
  return text.replace(/^-/, "\u2212");
}
