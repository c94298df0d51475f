import { type EncodedColumn, valueJson } from "@/lib/engine/sql/encode";
import type { Text } from "@/lib/readers/bench";
import type { Workbench } from "./workbench";

const BINS_MAX = 40;
/** 5 instead of 2.5, so that steps over whole numbers remain whole. */
const STEPS = [1, 2, 5] as const;

/** The least and the greatest value, as text: whole numbers, doubles, or microseconds since 1970. */
export interface Ends {
  low: string;
  high: string;
}

/** What regular bins span, and all values. */
export interface Range {
  ends: Ends;
  outer: Ends;
}

/** Leaves room for a wider bin at each end if the regular bins do not span all values. */
const binsMax = ({ ends, outer }: Range): number => (ends === outer ? BINS_MAX : BINS_MAX - 2);

/** How a scale is divided into regular bins: SQL of a value's bin from 0, and the edges. */
export interface Cut {
  bins: number;
  /** SQL over `v`. */
  bin: string;
  /** Faster SQL over `v`, if there is any: the bin or, for values near an edge, possibly the adjacent one. */
  nearly?: { bin: string; edges: readonly number[] };
  /** SQL over `v`: before the first edge; at or after the last. */
  below: string;
  above: string;
  /** JSON text of the edges, one more than there are bins. */
  edges: readonly string[];
  /** JSON text of the edges around all values, round if possible. */
  low: string;
  high: string;
}

export function cutWhole(range: Range): Cut {
  const { ends, outer } = range;
  const [from, to] = [BigInt(ends.low), BigInt(ends.high)];
  const most = binsMax(range);
  const step = roundSteps().find((size) => floorDivide(to, size) - floorDivide(from, size) < most) ?? 1n;
  const floor = (value: string | bigint) => floorDivide(BigInt(value), step) * step;
  const [start, end] = [floor(from), floor(to) + step];
  // of HUGEINT, arithmetic takes ten times as long
  const type = [outer.low, outer.high].every((value) => is64Bit(BigInt(value))) ? "BIGINT" : "HUGEINT";
  // a number beyond the type is beyond all values; without quotes, the minus of the least number would follow the
  // cast
  const compared = (operator: "<" | ">=", value: bigint) =>
    type === "BIGINT" && !is64Bit(value) ? "false" : `v::${type} ${operator} '${value}'::${type}`;
  const bins = Number((end - start) / step);
  return {
    bins,
    bin: `(${floorDividedSql(`v::${type}`, `${step}::${type}`, BigInt(outer.low) >= 0n)} - ${start / step})`,
    below: compared("<", start),
    above: compared(">=", end),
    edges: Array.from({ length: bins + 1 }, (_, index) => String(start + BigInt(index) * step)),
    low: String(floor(outer.low)),
    high: String(floor(outer.high) + step),
  };
}

const is64Bit = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** Division rounded down, without leaving the type. DuckDB rounds towards zero. */
const floorDividedSql = (value: string, by: string, isNatural: boolean): string =>
  isNatural
    ? `${value} // ${by}`
    : `CASE WHEN ${value} >= 0 THEN ${value} // ${by} ELSE -1 - (-1 - ${value}) // ${by} END`;

function roundSteps(): bigint[] {
  return Array.from({ length: 20 }, (_, power) => STEPS.map((step) => BigInt(step) * 10n ** BigInt(power))).flat();
}

const floorDivide = (value: bigint, by: bigint): bigint => value / by - (value % by < 0n ? 1n : 0n);

/** Cuts floats and decimals, compared as doubles with exactly the edges that are shown. */
export function cutReal(range: Range): Cut | undefined {
  const { ends, outer } = range;
  const step = realStep(Number(ends.low), Number(ends.high), binsMax(range));
  if (!step) return undefined;
  const { edges, width } = step;
  const [start = 0, end = start] = [edges[0], edges.at(-1)];
  const list = `[${edges.map((edge) => `${edge}::DOUBLE`).join(", ")}]`;
  const guess =
    `greatest(0, least(${edges.length - 2}, floor((v::DOUBLE - ${start}::DOUBLE) / ` + `${width}::DOUBLE)))::INTEGER`;
  const bin =
    `CASE WHEN v::DOUBLE < ${list}[${guess} + 1] THEN ${guess} - 1 WHEN v::DOUBLE >= ${list}[${guess} + 2] THEN ` +
    `${guess} + 1 ELSE ${guess} END`;
  const [low, high] = [Number(outer.low), Number(outer.high)];
  const [before, after] = [step.edge(Math.floor(low / width)), step.edge(Math.floor(high / width) + 1)];
  return {
    bins: edges.length - 1,
    bin,
    nearly: { bin: guess, edges },
    below: `v::DOUBLE < ${start}::DOUBLE`,
    above: `v::DOUBLE >= ${end}::DOUBLE`,
    edges: edges.map((edge) => JSON.stringify(edge)),
    low: JSON.stringify(Number.isFinite(before) ? Math.min(before, low) : low),
    high: JSON.stringify(Number.isFinite(after) ? Math.max(after, high) : high),
  };
}

interface RealStep {
  edges: number[];
  width: number;
  /** The multiple of the width; NaN far beyond the edges. */
  edge(multiple: number): number;
}

/** Multiples of 1, 2 or 5 times a power of ten around both ends; undefined if doubles are too far apart for that. */
function realStep(low: number, high: number, most: number): RealStep | undefined {
  if (low === high) return { edges: [low, high], width: 1, edge: () => Number.NaN };
  const span = high - low;
  if (!Number.isFinite(span)) return undefined;
  const power = Math.floor(Math.log10(span / most));
  const sizes = [power, power + 1, power + 2].flatMap((exponent) => STEPS.map((step) => ({ step, exponent })));
  const size = sizes.find(
    ({ step, exponent }) =>
      Math.floor(high / Number(`${step}e${exponent}`)) - Math.floor(low / Number(`${step}e${exponent}`)) < most,
  );
  if (!size) return undefined;
  const width = Number(`${size.step}e${size.exponent}`);
  const edge = (multiple: number) => Number(`${multiple * size.step}e${size.exponent}`);
  const [first, last] = [Math.floor(low / width), Math.floor(high / width) + 1];
  const edges = Array.from({ length: last - first + 1 }, (_, index) => edge(first + index));
  const isAscending = edges.every((each, index) => index === 0 || each > (edges[index - 1] ?? 0));
  return isAscending ? { edges, width, edge } : undefined;
}

const [SECOND, MINUTE, HOUR, DAY] = [1e6, 60e6, 3600e6, 86_400e6] as const;

interface TimeStep {
  interval: string;
  lengthUs: number;
  months: number;
}

/** Steps of clock and calendar with their minimum length in microseconds. */
const TIME_STEPS: readonly TimeStep[] = [
  ...[1, 2, 5, 10, 30].map((count) => ({ interval: `${count} seconds`, lengthUs: count * SECOND, months: 0 })),
  ...[1, 2, 5, 10, 30].map((count) => ({ interval: `${count} minutes`, lengthUs: count * MINUTE, months: 0 })),
  ...[1, 2, 3, 6, 12].map((count) => ({ interval: `${count} hours`, lengthUs: count * HOUR, months: 0 })),
  ...[1, 2, 7, 14].map((count) => ({ interval: `${count} days`, lengthUs: count * DAY, months: 0 })),
  ...[1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000].map((count) => ({
    interval: `${count} months`,
    lengthUs: count * 28 * DAY,
    months: count,
  })),
];

/** Cuts dates and timestamps at steps of clock and calendar, which DuckDB computes for all columns at once. */
export async function cutTimes(
  bench: Workbench,
  column: EncodedColumn,
  ranges: readonly Range[],
  isDate: boolean,
): Promise<(Cut | undefined)[]> {
  const steps = ranges.map((range) => timeStep(range, isDate));
  const requested = ranges.flatMap(({ ends, outer }, at) => {
    const step = steps[at];
    const bounds = [ends.low, ends.high, outer.low, outer.high].map((us) => `make_timestamp(${us})`);
    return step ? [`(${at}, INTERVAL '${step.interval}', ${step.months}, ${step.lengthUs}, ${bounds.join(", ")})`] : [];
  });
  if (requested.length === 0) return steps.map(() => undefined);
  const json = (at: string) =>
    valueJson({ ...column, ref: isDate ? `CAST(${at} AS DATE)` : `timezone('UTC', ${at})` }, { int64AsText: false });
  const names = "range_number, step, months, length, low, high, least, most";
  const values = `(VALUES ${requested.join(", ")}) AS ranges(${names})`;
  const started = `(SELECT *, time_bucket(step, low) AS start FROM ${values})`;
  const divided = `(SELECT *, ${BINS_SQL} + 1 AS bins FROM ${started})`;
  const rows = await bench.rows(
    `SELECT range_number::VARCHAR, epoch_us(start)::VARCHAR, epoch_us(edge)::VARCHAR, ${json("edge")}, ` +
      `${json("time_bucket(step, least)")}, ${json("(time_bucket(step, most) + step)")} FROM ` +
      `(SELECT *, start + step * number AS edge FROM (SELECT *, unnest(range(bins + 1)) AS number FROM ${divided})) ` +
      "ORDER BY number",
  );
  const found = Map.groupBy(rows, ([at]) => Number(at));
  return steps.map((step, at) => step && timeCut(step, found.get(at) ?? []));
}

function timeStep(range: Range, isDate: boolean): TimeStep | undefined {
  const span = Number(range.ends.high) - Number(range.ends.low);
  const most = binsMax(range);
  return TIME_STEPS.find(({ lengthUs }) => (!isDate || lengthUs >= DAY) && span / lengthUs < most - 1);
}

/** From one row for each edge: start, edge, and their JSON text with that of the edges around all values. */
function timeCut({ months, lengthUs }: TimeStep, rows: readonly Text[][]): Cut {
  const us = "epoch_us(v)";
  const [, startUs, , , low, high] = rows[0] ?? [];
  const endUs = rows.at(-1)?.[2];
  return {
    bins: rows.length - 1,
    bin:
      months > 0
        ? `(datediff('month', make_timestamp(${startUs}), make_timestamp(${us})) // ${months})`
        : `((${us} - ${startUs}) // ${lengthUs})`,
    below: `${us} < ${startUs}`,
    above: `${us} >= ${endUs}`,
    edges: rows.map(([, , , edge]) => edge ?? ""),
    low: low ?? "",
    high: high ?? "",
  };
}

/** Bins before the one with the greatest value. */
const BINS_SQL =
  "CASE WHEN months > 0 THEN datediff('month', start, high) // months " +
  "ELSE (epoch_us(high) - epoch_us(start)) // length END";
