import { type ExactNumber, parseExact } from "./exact-number";

/**
 * Bands of floats. A width is p / 10^s. The edge of band k is the float nearest to the decimal k × width, as it is for
 * a filter value, so the rows of a band are exactly those that `gte` its edge and `lt` the next one select.
 */
interface Width {
  p: number;
  s: number;
}

const DIGITS_MAX = 15;
const EXPONENT_MAX = 22;

export const WIDTH_RULE =
  `Expected a width of at most ${DIGITS_MAX} significant digits, its last one from 1e-${EXPONENT_MAX} to ` +
  `1e${EXPONENT_MAX}.`;

/** Whether edges of a width can be computed exactly in float64. */
export const isBandWidth = ({ coefficient, exponent }: ExactNumber): boolean =>
  String(coefficient).length <= DIGITS_MAX && Math.abs(exponent) <= EXPONENT_MAX;

function widthOf(text: string): Width {
  const { coefficient = 1n, exponent = 0 } = parseExact(text) ?? {};
  return { p: Number(coefficient), s: -exponent };
}

/** Edges are exact as long as p × k is below this. */
const EXACT_MAX = 2n ** 53n;

/** The edge of band k, rounded from the decimal. */
function edgeOf({ p, s }: Width, k: bigint, bits: 32 | 64): number {
  const edge = Number(`${k * BigInt(p)}e${-s}`);
  return bits === 32 ? Math.fround(edge) : edge;
}

/** The least and the greatest band that a width has. */
function lastBands({ p }: Width): [least: bigint, most: bigint] {
  const most = (EXACT_MAX - 1n) / BigInt(p);
  return [-most, most];
}

/** Whether all values from `least` to `most` are in bands. */
export function hasBands(width: string, bits: 32 | 64, least: number, most: number): boolean {
  const [low, high] = limits(widthOf(width), bits);
  return least >= low && most < high;
}

/** All values in bands are at least the first and less than the second. */
function limits(width: Width, bits: 32 | 64): [number, number] {
  const [least, most] = lastBands(width);
  return [edgeOf(width, least, bits), edgeOf(width, most + 1n, bits)];
}

/** The smallest power of ten that has bands for a value of this size; undefined if there is none. */
export function widthFor(size: number): string | undefined {
  for (let exponent = -EXPONENT_MAX; exponent <= EXPONENT_MAX; exponent += 1)
    if (hasBands(`1e${exponent}`, 64, -size, size)) return String(Number(`1e${exponent}`));
  return undefined;
}

/** Up to here, a value divided by the width is wrong by far less than the part of a band that `nearSql` allows. */
const NEAR_MAX = 2 ** 40;

/** Whether `nearSql` is exact for a value of this size. */
export function isNear(width: string, size: number): boolean {
  const { p, s } = widthOf(width);
  return (size * 10 ** s) / p < NEAR_MAX;
}

/**
 * SQL of a value's band, and of its edge. NaN and infinities are bands of their own; -0.0 is in band 0. `isNear`: all
 * values are of a size for which the shorter form is exact. The other one covers every value, and fails with a
 * conversion error for one that is in no band.
 */
export function bandSql(ref: string, text: string, bits: 32 | 64, isNear: boolean): { key: string; value: string } {
  const width = widthOf(text);
  const key = isNear ? nearSql(ref, width, bits) : wholeSql(ref, width, bits, text);
  return { key, value: edgeSql(key, width, bits) };
}

const asDouble = (ref: string, bits: 32 | 64): string => (bits === 32 ? `CAST(${ref} AS DOUBLE)` : ref);

/** A literal of DuckDB's type DOUBLE: without an exponent it would be a decimal. */
const double = (value: number): string => (String(value).includes("e") ? String(value) : `${value}e0`);

/** A factor and a divisor that are exact, or 1 where they are not needed: the edge is rounded once. */
function edgeSql(k: string, width: Width, bits: 32 | 64): string {
  const { p, s } = width;
  const by = isDouble(width) ? decimal(width) : p;
  const scaled = by === 1 ? k : `${k} * ${double(by)}`;
  const edge = isDouble(width) || s === 0 ? scaled : `${scaled} ${s > 0 ? "/" : "*"} 1e${Math.abs(s)}`;
  return bits === 32 ? `CAST(${edge} AS FLOAT)` : `(${edge})`;
}

/** How many widths a value is from zero: rounded once for powers of ten, whose bands are the most, otherwise twice. */
function ratioSql(ref: string, width: Width, bits: 32 | 64): string {
  const { p, s } = width;
  const value = asDouble(ref, bits);
  if (p === 1 && s >= 0) return s === 0 ? value : `${value} * 1e${s}`;
  return `${value} / ${double(decimal(width))}`;
}

const decimal = ({ p, s }: Width): number => Number(`${p}e${-s}`);

/** Whether the width is a float64. */
function isDouble({ p, s }: Width): boolean {
  const fives = 5n ** BigInt(Math.abs(s));
  return s <= 0 ? BigInt(p) * fives < EXACT_MAX : BigInt(p) % fives === 0n;
}

/**
 * The candidate is the band after that of a value smaller by a thousandth of a band: it is the right one, or the next.
 */
function nearSql(ref: string, width: Width, bits: 32 | 64): string {
  const k = `floor(${ratioSql(ref, width, bits)} + ${double(1 - 2 ** -10)})`;
  return `(${k} - CAST(${ref} < ${edgeSql(k, width, bits)} AS DOUBLE))`;
}

/** The candidate is the right band, or next to it. */
function wholeSql(ref: string, width: Width, bits: 32 | 64, text: string): string {
  const k = `floor(${ratioSql(ref, width, bits)})`;
  const [below, above] = [edgeSql(k, width, bits), edgeSql(`(${k} + 1)`, width, bits)];
  const [, most] = lastBands(width);
  const [low, high] = limits(width, bits).map(double);
  const band = `${k} - CAST(${ref} < ${below} AS DOUBLE) + CAST(${ref} >= ${above} AS DOUBLE)`;
  const none = `CAST('too large for bands of width ${text}' AS DOUBLE)`;
  const value = asDouble(ref, bits);
  return (
    `CASE WHEN NOT isfinite(${ref}) THEN ${value} WHEN ${ref} < ${low} OR ${ref} >= ${high} THEN ${none} ` +
    `WHEN ${ref} IS NOT NULL THEN least(${band}, ${most}) END`
  );
}

/**
 * The edge after one, which is the label of a group, as a short decimal that a filter reads as that edge. Several bands
 * have the same edge where floats are coarser.
 */
export function nextEdge(text: string, bits: 32 | 64, label: number): string {
  const width = widthOf(text);
  const edge = bits === 32 ? Math.fround(label) : label;
  const isAbove = (k: bigint) => edgeOf(width, k, bits) > edge;
  let low = BigInt(Math.floor((edge / width.p) * 10 ** width.s));
  while (isAbove(low)) low -= 1n;
  let step = 1n;
  while (!isAbove(low + step)) step *= 2n;
  while (step > 1n) {
    step /= 2n;
    if (!isAbove(low + step)) low += step;
  }
  return String(edgeOf(width, low + 1n, 64));
}
