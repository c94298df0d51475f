import type { EncodedColumn } from "@/lib/engine/sql/encode";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { type Cut, cutReal, cutTimes, cutWhole, type Ends, type Range } from "./histogram-cuts";
import type { Workbench } from "./workbench";

/** Bins are regular between the 1st and the 99th percentile if that makes them at least this much finer. */
const FINER_MIN = 2;

/** SQL of a value on the scale on which a column's values are divided into bins, as text. */
export function scaleSql(column: EncodedColumn, ref: string): string {
  const { histogram } = columnTypeOf(column).profile;
  if (histogram === "whole") return `${ref}::VARCHAR`;
  return histogram === "real" ? `${ref}::DOUBLE::VARCHAR` : `epoch_us(${ref})::VARCHAR`;
}

const finiteSql = (column: EncodedColumn): string =>
  columnTypeOf(column).number?.isFloat === true ? "isfinite(v)" : "true";

/** By column, the least and the greatest finite value `v`, by `scaleSql`. */
export async function endsOf(bench: Workbench, column: EncodedColumn, relation: string): Promise<Map<number, Ends>> {
  const ends = `${scaleSql(column, "min(v)")}, ${scaleSql(column, "max(v)")}`;
  const rows = await bench.rows(
    `SELECT place::VARCHAR, ${ends} FROM ${relation} WHERE ${finiteSql(column)} GROUP BY place`,
  );
  return new Map(rows.flatMap(([index, low, high]) => (low && high ? [[Number(index), { low, high }] as const] : [])));
}

/** The finite values of a column: their ends by `scaleSql`, and their 1st and 99th percentile. */
export interface Span {
  index: number;
  whole: Ends;
  core: Ends;
}

/** A column's division into bins; `isClipped` if a wider bin at each end holds what is beyond the regular ones. */
interface CutColumn {
  index: number;
  cut: Cut;
  isClipped: boolean;
}

/**
 * By column, at most 40 bins between round edges, as JSON text. None for a column whose range of values cannot be
 * divided. Outliers beyond the 1st and the 99th percentile form one wider bin at each end, so that they do not squeeze
 * all other values into a few bars.
 */
export async function histogramsOf(
  bench: Workbench,
  column: EncodedColumn,
  relation: string,
  spans: readonly Span[],
): Promise<Map<number, string>> {
  const cuts = await cutColumns(bench, column, spans);
  if (cuts.length === 0) return new Map();
  const grouped = (some: readonly CutColumn[], bin: (cut: Cut) => string, more = "") =>
    `(SELECT place, ${byIndex(some, (each) => clippedBin(each, bin(each.cut)))} AS bin, sum(n) AS n${more} FROM ` +
    `${relation} WHERE ${finiteSql(column)} GROUP BY place, bin)`;
  const counts = await nearlyCounted(bench, cuts, grouped);
  const others = cuts.filter(({ index }) => !counts.has(index));
  if (others.length > 0) {
    const bins = grouped(others, ({ bin, bins: all }) => `least(${bin}, ${all - 1})`);
    const rows = await bench.rows(`SELECT place::VARCHAR, bin::VARCHAR, n::VARCHAR FROM ${bins}`);
    for (const [index, found] of Map.groupBy(rows, ([at]) => Number(at)))
      if (!counts.has(index)) counts.set(index, new Map(found.map(([, bin, count]) => [Number(bin), count ?? "0"])));
  }
  return new Map(cuts.map(({ index, cut }) => [index, histogramText(cut, counts.get(index) ?? new Map())]));
}

/** Regular bins between the 1st and the 99th percentile where that makes them much finer, otherwise over all values. */
async function cutColumns(bench: Workbench, column: EncodedColumn, spans: readonly Span[]): Promise<CutColumn[]> {
  const isClipped = ({ core, whole }: Span) => core.low !== core.high && spanOf(core) * FINER_MIN < spanOf(whole);
  const clipped = spans.filter(isClipped);
  const cores = await cutsOf(
    bench,
    column,
    clipped.map(({ core, whole }) => ({ ends: core, outer: whole })),
  );
  const finer = clipped.flatMap(({ index }, at) => {
    const cut = cores[at];
    return cut ? [{ index, cut, isClipped: true }] : [];
  });
  const others = spans.filter(({ index }) => !finer.some((each) => each.index === index));
  const wholes = await cutsOf(
    bench,
    column,
    others.map(({ whole }) => ({ ends: whole, outer: whole })),
  );
  const regular = others.flatMap(({ index }, at) => {
    const cut = wholes[at];
    return cut ? [{ index, cut, isClipped: false }] : [];
  });
  return [...finer, ...regular];
}

/** SQL of what differs from column to column. */
const byIndex = (cuts: readonly CutColumn[], sql: (each: CutColumn) => string): string => {
  const [first, ...more] = cuts;
  if (first && more.length === 0) return sql(first);
  return `CASE place ${cuts.map((each) => `WHEN ${each.index} THEN ${sql(each)}`).join(" ")} END`;
};

const clippedBin = ({ cut, isClipped }: CutColumn, bin: string): string =>
  isClipped ? `CASE WHEN ${cut.below} THEN -1 WHEN ${cut.above} THEN ${cut.bins} ELSE ${bin} END` : bin;

type Counts = ReadonlyMap<number, string>;

/** Counts by the faster bins, for the columns of which the least and the greatest value of each bin lie within it. */
async function nearlyCounted(
  bench: Workbench,
  cuts: readonly CutColumn[],
  grouped: (some: readonly CutColumn[], bin: (cut: Cut) => string, more: string) => string,
): Promise<Map<number, Counts>> {
  const faster = cuts.filter(({ cut }) => cut.nearly);
  if (faster.length === 0) return new Map();
  const bounded = grouped(
    faster,
    ({ nearly }) => nearly?.bin ?? "",
    ", min(v::DOUBLE) AS least, max(v::DOUBLE) AS most",
  );
  const rows = await bench.rows(
    `SELECT place::VARCHAR, bin::VARCHAR, n::VARCHAR, least::VARCHAR, most::VARCHAR FROM ${bounded}`,
  );
  const found = Map.groupBy(rows, ([index]) => Number(index));
  return new Map(
    faster.flatMap(({ index, cut }) => {
      const bins = found.get(index) ?? [];
      const isSure = bins.every(([, bin, , least, most]) => isWithin(cut, Number(bin), [Number(least), Number(most)]));
      return isSure ? [[index, new Map(bins.map(([, bin, count]) => [Number(bin), count ?? "0"]))] as const] : [];
    }),
  );
}

function isWithin({ nearly, bins }: Cut, bin: number, [least, most]: readonly [number, number]): boolean {
  const [from = Number.NaN, to = Number.NaN] = nearly?.edges.slice(bin, bin + 2) ?? [];
  return bin < 0 || bin >= bins || (least >= from && (most < to || bin === bins - 1));
}

/** NaN if both are infinite, which compares as false. */
const spanOf = ({ low, high }: Ends): number => Number(high) - Number(low);

/** `counts` by bin: -1 for everything below the regular bins, their number for everything above. */
function histogramText({ bins, edges: regular, low, high }: Cut, counts: Counts): string {
  const overflow = { first: counts.has(-1), last: counts.has(bins) };
  const edges = [...(overflow.first ? [low] : []), ...regular, ...(overflow.last ? [high] : [])];
  const shown = Array.from({ length: edges.length - 1 }, (_, at) => counts.get(overflow.first ? at - 1 : at) ?? "0");
  const members = [`"edges":[${edges.join(",")}]`, `"counts":[${shown.join(",")}]`];
  if (overflow.first || overflow.last) members.push(`"overflow":${JSON.stringify(overflow)}`);
  return `{${members.join(",")}}`;
}

async function cutsOf(bench: Workbench, column: EncodedColumn, ranges: readonly Range[]): Promise<(Cut | undefined)[]> {
  switch (columnTypeOf(column).profile.histogram) {
    case "whole":
      return ranges.map(cutWhole);
    case "day":
      return await cutTimes(bench, column, ranges, true);
    case "instant":
      return await cutTimes(bench, column, ranges, false);
    case "real":
      return ranges.map(cutReal);
    default:
      return [];
  }
}
