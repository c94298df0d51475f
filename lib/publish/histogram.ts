import { type EncodedColumn, valueJson } from "@/lib/engine/sql/encode";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { onlyRow, type Workbench } from "./workbench";

const BINS_MAX = 40;
/** The larger of these keep whole numbers whole; 2.5 would not. */
const STEPS = [1, 2, 5] as const;

/** How a scale is cut: SQL of a value's bin from 0, and of the edges. */
interface Cut {
  bins: number;
  /** SQL over `v`. */
  bin: string;
  /** SQL of the i-th edge's JSON text, for i from 0 to `bins`. */
  edge(index: number): string;
  where: string;
}

/** At most 40 bins between round edges, as JSON text; undefined where the values span nothing that can be cut. */
export async function histogramOf(
  bench: Workbench,
  column: EncodedColumn,
  relation: string,
): Promise<string | undefined> {
  const cut = await cutOf(bench, column, relation);
  if (!cut) return undefined;
  const rows = await bench.rows(
    `SELECT least(${cut.bin}, ${cut.bins - 1})::VARCHAR, sum(n)::VARCHAR FROM ${relation} WHERE ${cut.where} ` +
      "GROUP BY 1",
  );
  const counts = new Array<string>(cut.bins).fill("0");
  for (const [bin, count] of rows) counts[Number(bin)] = count ?? "0";
  const edges = await onlyRow(
    bench,
    `SELECT ${Array.from({ length: cut.bins + 1 }, (_, index) => cut.edge(index)).join(", ")}`,
  );
  return `{"edges":[${edges.join(",")}],"counts":[${counts.join(",")}]}`;
}

async function cutOf(bench: Workbench, column: EncodedColumn, relation: string): Promise<Cut | undefined> {
  const { profile, number } = columnTypeOf(column);
  switch (profile.histogram) {
    case "whole":
      return await cutWhole(bench, relation);
    case "day":
    case "instant":
      return await cutTime(bench, column, relation, profile.histogram === "day");
    case "real":
      return await cutReal(bench, relation, number?.isFloat === true);
    default:
      return undefined;
  }
}

async function cutWhole(bench: Workbench, relation: string): Promise<Cut | undefined> {
  const [low, high] = await onlyRow(bench, `SELECT min(v)::VARCHAR, max(v)::VARCHAR FROM ${relation}`);
  if (!low || !high) return undefined;
  const [from, to] = [BigInt(low), BigInt(high)];
  const step = roundSteps().find((size) => floorDivide(to, size) - floorDivide(from, size) < BINS_MAX) ?? 1n;
  const start = floorDivide(from, step) * step;
  const bins = Number((to - start) / step) + 1;
  return {
    bins,
    bin: `((v::HUGEINT - ${start}::HUGEINT) // ${step}::HUGEINT)`,
    where: "true",
    edge: (index) => `'${start + BigInt(index) * step}'`,
  };
}

function roundSteps(): bigint[] {
  return Array.from({ length: 20 }, (_, power) => STEPS.map((step) => BigInt(step) * 10n ** BigInt(power))).flat();
}

const floorDivide = (value: bigint, by: bigint): bigint => value / by - (value % by < 0n ? 1n : 0n);

/** Floats and decimals, compared as doubles with the very edges that are shown. */
async function cutReal(bench: Workbench, relation: string, isFloat: boolean): Promise<Cut | undefined> {
  const where = isFloat ? "isfinite(v)" : "true";
  const [low, high] = await onlyRow(
    bench,
    `SELECT min(v)::DOUBLE::VARCHAR, max(v)::DOUBLE::VARCHAR FROM ${relation} WHERE ${where}`,
  );
  if (!low || !high) return undefined;
  const edges = realEdges(Number(low), Number(high));
  if (!edges) return undefined;
  const list = `[${edges.map((edge) => `${edge}::DOUBLE`).join(", ")}]`;
  const [start = 0, next = 0] = edges;
  const guess =
    `greatest(0, least(${edges.length - 2}, floor((v::DOUBLE - ${start}::DOUBLE) / ` +
    `${next - start || 1}::DOUBLE)::INTEGER))`;
  const bin =
    `CASE WHEN v::DOUBLE < ${list}[${guess} + 1] THEN ${guess} - 1 WHEN v::DOUBLE >= ${list}[${guess} + 2] THEN ` +
    `${guess} + 1 ELSE ${guess} END`;
  return { bins: edges.length - 1, bin, where, edge: (index) => `'${JSON.stringify(edges[index])}'` };
}

/** Multiples of 1, 2 or 5 times a power of ten around both ends; undefined where doubles lie too far apart for that. */
export function realEdges(low: number, high: number): number[] | undefined {
  if (low === high) return [low, high];
  const span = high - low;
  if (!Number.isFinite(span)) return undefined;
  const power = Math.floor(Math.log10(span / BINS_MAX));
  const sizes = [power, power + 1, power + 2].flatMap((exponent) => STEPS.map((step) => ({ step, exponent })));
  const size = sizes.find(
    ({ step, exponent }) =>
      Math.floor(high / Number(`${step}e${exponent}`)) - Math.floor(low / Number(`${step}e${exponent}`)) < BINS_MAX,
  );
  if (!size) return undefined;
  const width = Number(`${size.step}e${size.exponent}`);
  const [first, last] = [Math.floor(low / width), Math.floor(high / width) + 1];
  const edges = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(`${(first + index) * size.step}e${size.exponent}`),
  );
  return edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0)) ? edges : undefined;
}

const [SECOND, MINUTE, HOUR, DAY] = [1e6, 60e6, 3600e6, 86_400e6] as const;

/** Steps of clock and calendar with their least length in microseconds. */
const TIME_STEPS: readonly { interval: string; lengthUs: number; months: number }[] = [
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

/** Dates and timestamps, cut at the steps of clock and calendar; months and longer ones by way of days. */
async function cutTime(
  bench: Workbench,
  column: EncodedColumn,
  relation: string,
  isDate: boolean,
): Promise<Cut | undefined> {
  const us = "epoch_us(v)";
  const [low, high] = await onlyRow(bench, `SELECT min(${us})::VARCHAR, max(${us})::VARCHAR FROM ${relation}`);
  if (!low || !high) return undefined;
  const span = Number(high) - Number(low);
  const step = TIME_STEPS.find(({ lengthUs }) => (!isDate || lengthUs >= DAY) && span / lengthUs < BINS_MAX - 1);
  if (!step) return undefined;
  const start = `time_bucket(INTERVAL '${step.interval}', make_timestamp(${low}))`;
  const [bins, startUs] = await onlyRow(
    bench,
    `SELECT ((${binsBetween(start, `make_timestamp(${high})`, step)}) + 1)::VARCHAR, epoch_us(${start})::VARCHAR`,
  );
  const at = (index: number) =>
    `(TIMESTAMP '1970-01-01' + to_microseconds(${startUs})) + INTERVAL '${step.interval}' * ${index}`;
  const bin =
    step.months > 0
      ? `(datediff('month', make_timestamp(${startUs}), make_timestamp(${us})) // ${step.months})`
      : `((${us} - ${startUs}) // ${step.lengthUs})`;
  const edge = (index: number) =>
    valueJson(
      { ...column, ref: isDate ? `CAST(${at(index)} AS DATE)` : `timezone('UTC', ${at(index)})` },
      { int64AsText: false },
    );
  return { bins: Number(bins), bin, where: "true", edge };
}

function binsBetween(start: string, end: string, { months, lengthUs }: { months: number; lengthUs: number }): string {
  if (months > 0) return `datediff('month', ${start}, ${end}) // ${months}`;
  return `(epoch_us(${end}) - epoch_us(${start})) // ${lengthUs}`;
}
