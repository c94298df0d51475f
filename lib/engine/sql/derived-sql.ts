import type { GroupsPlan } from "@/lib/engine/plan/planned";
import { columnAt, groupedColumns } from "@/lib/engine/plan/result-columns";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { isOfBands, placeOf, type SeriesGroup, seriesSql } from "@/lib/engine/types/series";

/** The groups of a plan with derived results: as columns o0, o1 …, and the bands of floats as k0, k1 …. */
export function seriesGroups(plan: GroupsPlan, columns: readonly EngineColumn[]): SeriesGroup[] {
  const results = groupedColumns(plan, columns);
  return plan.groups.map(({ column, bucket, width }, at) => {
    const group = { column: columnTypeOf(columnAt(columns, column)), width };
    const [value, result] = [`o${at}`, columnTypeOf(columnAt(results, at))];
    return { ...group, value, key: isOfBands(group) ? `k${at}` : value, result, bucket };
  });
}

/**
 * The groups with what is derived from their results, and their places as columns n0, n1 …. What is derived
 * from the same depth is in one query, so that equal orders are sorted once.
 */
export function derivedSql(grouped: string, plan: GroupsPlan, columns: readonly EngineColumn[]): string {
  const { derived = [], groups, aggregates } = plan;
  const first = groups.length + aggregates.length;
  const results = groupedColumns(plan, columns);
  const series = seriesGroups(plan, columns);
  const depths: number[] = [];
  for (const { of } of derived) depths.push(1 + (depths[of - first] ?? 0));
  const added = derived.map(({ function: name, of, over, size, by, isAscending }, at) => {
    const group = over === undefined ? undefined : series[over];
    const use = {
      series: group && seriesSql(group, series, `n${over}`),
      size,
      by: by?.map((index) => series[index]?.key ?? "NULL"),
      isAscending,
    };
    return `${DERIVATIONS[name].sql(`o${of}`, columnTypeOf(columnAt(results, of)), use)} AS o${first + at}`;
  });
  const followed = new Set(derived.flatMap(({ over }) => over ?? []));
  const places = series.flatMap((group, at) => (followed.has(at) ? [`${placeOf(group).place} AS n${at}`] : []));
  const placed = places.length > 0 ? `SELECT *, ${places.join(", ")} FROM (${grouped})` : grouped;
  return [...new Set(depths)]
    .sort((a, b) => a - b)
    .reduce(
      (sql, depth) => `SELECT *, ${added.filter((_, at) => depths[at] === depth).join(", ")} FROM (${sql})`,
      placed,
    );
}
