import type { EncodedColumn } from "@/lib/engine/sql/encode";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { onlyRow, type Text } from "@/lib/readers/bench";
import { type Cut, cutReal, cutTime, cutWhole, type Ends } from "./histogram-cuts";
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

/** The least and the greatest finite value `v`, by `scaleSql`. */
export async function endsOf(bench: Workbench, column: EncodedColumn, relation: string): Promise<Ends | undefined> {
  const ends = `${scaleSql(column, "min(v)")}, ${scaleSql(column, "max(v)")}`;
  const [low, high] = await onlyRow(bench, `SELECT ${ends} FROM ${relation} WHERE ${finiteSql(column)}`);
  return low && high ? { low, high } : undefined;
}

/**
 * At most 40 bins between round edges, as JSON text. Undefined if the range of values cannot be divided. `whole` are
 * the ends by `scaleSql`, `core` the 1st and the 99th percentile. Outliers beyond these form one wider bin at each end,
 * so that they do not squeeze all other values into a few bars.
 */
export async function histogramOf(
  bench: Workbench,
  column: EncodedColumn,
  relation: string,
  core: Ends,
  whole: Ends,
): Promise<string | undefined> {
  const isClipped = core.low !== core.high && spanOf(core) * FINER_MIN < spanOf(whole);
  const clipped = isClipped ? await cutOf(bench, column, core, whole) : undefined;
  const cut = clipped ?? (await cutOf(bench, column, whole, whole));
  if (!cut) return undefined;
  const where = finiteSql(column);
  const placed = (bin: string) =>
    clipped ? `CASE WHEN ${cut.below} THEN -1 WHEN ${cut.above} THEN ${cut.bins} ELSE ${bin} END` : bin;
  const grouped = (bin: string, more = "") =>
    `(SELECT ${placed(bin)} AS bin, sum(n) AS n${more} FROM ${relation} WHERE ${where} GROUP BY bin)`;
  const rows =
    (await nearlyCounted(bench, cut, grouped)) ??
    (await bench.rows(`SELECT bin::VARCHAR, n::VARCHAR FROM ${grouped(`least(${cut.bin}, ${cut.bins - 1})`)}`));
  return await histogramText(bench, cut, new Map(rows.map(([at, count]) => [Number(at), count ?? "0"])));
}

/** Counts by the faster bins, if the least and the greatest value of each lie within it. Otherwise undefined. */
async function nearlyCounted(
  bench: Workbench,
  { nearly, bins }: Cut,
  grouped: (bin: string, more: string) => string,
): Promise<Text[][] | undefined> {
  if (!nearly) return undefined;
  const bounded = grouped(nearly.bin, ", min(v::DOUBLE) AS least, max(v::DOUBLE) AS most");
  const rows = await bench.rows(`SELECT bin::VARCHAR, n::VARCHAR, least::VARCHAR, most::VARCHAR FROM ${bounded}`);
  const isWithin = ([at, , least, most]: Text[]) => {
    const bin = Number(at);
    const [from = Number.NaN, to = Number.NaN] = nearly.edges.slice(bin, bin + 2);
    return bin < 0 || bin >= bins || (Number(least) >= from && (Number(most) < to || bin === bins - 1));
  };
  return rows.every(isWithin) ? rows : undefined;
}

/** NaN if both are infinite, which compares as false. */
const spanOf = ({ low, high }: Ends): number => Number(high) - Number(low);

/** `counts` by bin: -1 for everything below the regular bins, their number for everything above. */
async function histogramText(bench: Workbench, cut: Cut, counts: ReadonlyMap<number, string>): Promise<string> {
  const overflow = { first: counts.has(-1), last: counts.has(cut.bins) };
  const regular = Array.from({ length: cut.bins + 1 }, (_, index) => cut.edge(index));
  const edges = await onlyRow(
    bench,
    `SELECT ${[...(overflow.first ? [cut.low] : []), ...regular, ...(overflow.last ? [cut.high] : [])].join(", ")}`,
  );
  const bins = Array.from({ length: edges.length - 1 }, (_, at) => counts.get(overflow.first ? at - 1 : at) ?? "0");
  const members = [`"edges":[${edges.join(",")}]`, `"counts":[${bins.join(",")}]`];
  if (overflow.first || overflow.last) members.push(`"overflow":${JSON.stringify(overflow)}`);
  return `{${members.join(",")}}`;
}

async function cutOf(bench: Workbench, column: EncodedColumn, ends: Ends, outer: Ends): Promise<Cut | undefined> {
  switch (columnTypeOf(column).profile.histogram) {
    case "whole":
      return cutWhole(ends, outer);
    case "day":
      return await cutTime(bench, column, ends, outer, true);
    case "instant":
      return await cutTime(bench, column, ends, outer, false);
    case "real":
      return cutReal(ends, outer);
    default:
      return undefined;
  }
}
