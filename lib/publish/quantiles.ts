import { type ProfiledColumn, valueSql } from "@/lib/engine/sql/profile-value";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Text } from "@/lib/readers/bench";
import { scaleSql } from "./histogram";
import type { Ends } from "./histogram-cuts";
import type { Workbench } from "./workbench";

/** In percent, so that a value's rank is a whole number. */
const QUANTILES = { p05: 5, p25: 25, p50: 50, p75: 75, p95: 95 } as const;
/** Histograms are regular between these percentiles. */
const CORE = [1, 99] as const;
const PERCENTS = [...Object.values(QUANTILES), ...CORE];

const BUCKETS = 4_096;
/** Maximum number of values that are sorted at once. */
const PICKED_MAX = 1_000_000;

export interface Quantiles {
  /** JSON text: name → value. */
  json: Record<string, string>;
  /** In the histogram's scale. */
  core: Ends;
}

/**
 * By column, exact: the least value that the given share of all values does not exceed. `relation` has values `v` of
 * the columns `index`, each `n` times; `value_rows` those of a single column. `ends` are those of the finite ones. None
 * for a column without values.
 */
export async function quantilesOf(
  bench: Workbench,
  column: ProfiledColumn,
  relation: "value_counts" | "value_rows",
  ends: ReadonlyMap<number, Ends>,
): Promise<Map<number, Quantiles>> {
  const [only] = ends.values();
  const sql =
    relation === "value_counts" ? COUNTED : ((only && (await pickedSql(bench, column, only))) ?? DUCKDB_QUANTILES);
  // one row per quantile, so that DuckDB plans the text of a single value
  const rows = await bench.rows(
    `SELECT place::VARCHAR, ${valueSql(column, "x")}, ${scaleSql(column, "x")} FROM ` +
      `(SELECT place, unnest(q) AS x, generate_subscripts(q, 1) AS rank FROM (${sql})) ORDER BY rank`,
  );
  const byIndex = Map.groupBy(rows, ([index]) => Number(index));
  return new Map(
    [...byIndex].flatMap(([index, found]) => {
      const quantiles = quantilesIn(found);
      return quantiles ? [[index, quantiles] as const] : [];
    }),
  );
}

/** Undefined if a value cannot be shown. */
function quantilesIn(rows: readonly Text[][]): Quantiles | undefined {
  const names = Object.keys(QUANTILES);
  const found = rows.map(([, json, scaled], at) => (at < names.length ? json : scaled));
  if (found.some((value) => value === null)) return undefined;
  const [low = "", high = ""] = found.slice(names.length).map(String);
  return { json: Object.fromEntries(names.map((name, at) => [name, found[at] ?? ""])), core: { low, high } };
}

const COUNTED =
  `SELECT place, [${PERCENTS.map((percent) => `min(v) FILTER (upto * 100 >= ${percent} * total)`).join(", ")}] AS q ` +
  "FROM (SELECT place, v, sum(n) OVER (PARTITION BY place ORDER BY v) AS upto, sum(n) OVER (PARTITION BY place) AS " +
  "total FROM value_counts) GROUP BY place";

const SHARES = PERCENTS.map((percent) => percent / 100).join(", ");
/** On one thread, over all values at once. */
const DUCKDB_QUANTILES = `SELECT place, quantile_disc(v, [${SHARES}]) AS q FROM value_rows GROUP BY place`;

/**
 * SQL of the quantiles in two passes: values are counted in buckets, then only those of the relevant buckets are
 * sorted. The bucket never decreases as the value increases, however numbers are rounded. Undefined if too many values
 * share a bucket.
 */
async function pickedSql(bench: Workbench, column: ProfiledColumn, ends: Ends): Promise<string | undefined> {
  const bucket = bucketSql(column, ends);
  if (!bucket) return undefined;
  const bucketed = `(SELECT place, v, ${bucket} AS bucket FROM value_rows)`;
  const counts = await bench.rows(`SELECT bucket::VARCHAR, count(*)::VARCHAR FROM ${bucketed} GROUP BY bucket`);
  const buckets = counts.map(([at, count]) => ({ at: Number(at), count: Number(count) })).sort((a, b) => a.at - b.at);
  const picks = picksOf(buckets);
  const picked = [...new Set(picks.map(({ at }) => at))];
  const sorted = buckets.reduce((sum, { at, count }) => sum + (picked.includes(at) ? count : 0), 0);
  if (sorted > PICKED_MAX) return undefined;
  const values = picks.map(({ at, rank }) => `max(CASE WHEN bucket = ${at} THEN vs[${rank}] END)`);
  return (
    `SELECT place, [${values.join(", ")}] AS q FROM (SELECT place, bucket, list_sort(list(v)) AS vs FROM ${bucketed} ` +
    `WHERE bucket IN (${picked.join(", ")}) GROUP BY place, bucket) GROUP BY place`
  );
}

function bucketSql({ type }: ProfiledColumn, { low, high }: Ends): string | undefined {
  const factor = BUCKETS / (Number(high) - Number(low));
  if (!Number.isFinite(factor) || factor <= 0) return undefined;
  const { histogram } = columnTypeOf({ type }).profile;
  const x = `(${histogram === "whole" || histogram === "real" ? "v" : "epoch_us(v)"})::DOUBLE`;
  const [from, to] = [low, high].map((end) => `'${end}'::DOUBLE`);
  return (
    `CASE WHEN ${x} <= ${from} THEN 0 WHEN ${x} >= ${to} THEN ${BUCKETS} ELSE ((${x} - ${from}) * ${factor}::DOUBLE)` +
    "::SMALLINT END"
  );
}

/** For each quantile, the bucket that contains it and its rank there, from 1. */
function picksOf(buckets: readonly { at: number; count: number }[]): { at: number; rank: number }[] {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  return PERCENTS.map((percent) => {
    let rank = Math.max(1, Math.ceil((total * percent) / 100));
    const found = buckets.find(({ count }) => {
      if (rank <= count) return true;
      rank -= count;
      return false;
    });
    return { at: found?.at ?? 0, rank };
  });
}
