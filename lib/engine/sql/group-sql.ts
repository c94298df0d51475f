import type { GroupsPlan, PlannedAggregate, PlannedGroup } from "@/lib/engine/plan/planned";
import { argumentType, columnAt, groupedColumns } from "@/lib/engine/plan/result-columns";
import { aggregateCall, agreeingSql } from "@/lib/engine/types/aggregates";
import { BUCKETS, bucketSql, type GroupSql, itemsSql } from "@/lib/engine/types/buckets";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { widthSql } from "@/lib/engine/types/widths";
import { derivedSql, seriesGroups } from "./derived-sql";
import { type Encoding, rowJson } from "./encode";
import {
  columnsIn,
  cutSql,
  flagsOf,
  fromSql,
  limitSql,
  type MatchedPlan,
  matchingSql,
  orderSql,
  type PageRange,
  placeSql,
  type Source,
  type Statement,
} from "./sql";
import { conditionSql, filterSql, whereSql } from "./where-sql";

/** The groups, or the one row of aggregates, as JSON. */
export function groupsSql(
  plan: GroupsPlan,
  columns: readonly EngineColumn[],
  source: Source,
  range: PageRange,
  encoding: Encoding,
): Statement {
  const params: string[] = [];
  const order = plan.order.length > 0 ? ` ORDER BY ${orderSql(plan.order, "o")}` : "";
  const inner = `${resultSql(plan, columns, source, params)}${order}${limitSql(range)}`;
  const encoded = groupedColumns(plan, columns).map((column, index) => ({ ...column, ref: `o${index}` }));
  return { sql: cutSql(`SELECT ${rowJson(encoded, encoding)} AS j, 0 AS p FROM (${inner})`, range), params };
}

/** The groups as rows of columns o0, o1 …, in their order. */
export function groupRowsSql(
  plan: GroupsPlan,
  columns: readonly EngineColumn[],
  source: Source,
  rowsMax: number | undefined,
): Statement {
  const params: string[] = [];
  const order = plan.order.length > 0 ? ` ORDER BY ${orderSql(plan.order, "o")}` : "";
  const limit = rowsMax === undefined ? "" : ` LIMIT ${rowsMax}`;
  const list = groupedColumns(plan, columns).map((_, index) => `o${index}`);
  return {
    sql: `SELECT ${list.join(", ")} FROM (${resultSql(plan, columns, source, params)})${order}${limit}`,
    params,
  };
}

/** The number of rows that match a plan's filters, once for each item that they are grouped by. */
export function countSql(plan: Matched, source: Source): Statement {
  const params: string[] = [];
  return { sql: `SELECT count(*) FROM ${groupedRowsSql(plan, source, params)}`, params };
}

/** For each lookup of a plan, the number of rows that match its filters and have no partner in the other table. */
export function countMissingSql(plan: Matched, source: Source): Statement {
  const params: string[] = [];
  const counts = flagsOf(source).map((flag) => `count(*) FILTER (WHERE ${flag})`);
  const where = whereSql(matchingSql(plan, source, params));
  return { sql: `SELECT ${counts.join(", ")} FROM ${fromSql(source)}${where}`, params };
}

/** The least and the greatest finite number of a column in the rows that match a plan's filters; null for none. */
export function extremesSql(plan: GroupsPlan, column: number, source: Source): Statement {
  const params: string[] = [];
  const where = whereSql(filterSql(plan, params));
  const finite = `FILTER (WHERE isfinite(c${column}))`;
  return { sql: `SELECT min(c${column}) ${finite}, max(c${column}) ${finite} FROM ${fromSql(source)}${where}`, params };
}

/** The number of groups that a plan has. */
export function countGroupsSql(plan: GroupsPlan, columns: readonly EngineColumn[], source: Source): Statement {
  const params: string[] = [];
  return { sql: `SELECT count(*) FROM (${resultSql(plan, columns, source, params)})`, params };
}

export type Matched = MatchedPlan & { groups?: readonly PlannedGroup[] };

/**
 * The rows that match a plan's filters. If a group is of the items of a list, each row is there once for each distinct
 * item, `e`, and its first copy has n = 1; rows without items are not there.
 */
export function groupedRowsSql({ groups = [], ...plan }: Matched, source: Source, params: string[]): string {
  const matching = `${fromSql(source)}${whereSql(matchingSql(plan, source, params))}`;
  const group = groups.find(isOfItems);
  if (!group) return matching;
  const listed = `SELECT *, ${itemsSql(`c${group.column}`)} AS i FROM ${matching}`;
  return `(SELECT *, unnest(i) AS e, unnest(range(1, length(i) + 1)) AS n FROM (${listed}))`;
}

/** Whether a group is of the items of a list. */
const isOfItems = ({ bucket }: PlannedGroup): boolean => bucket !== undefined && BUCKETS[bucket].isOfItems === true;

/** The groups as columns o0, o1 …, without order or limit. */
function resultSql(plan: GroupsPlan, columns: readonly EngineColumn[], source: Source, params: string[]): string {
  const from = groupedRowsSql(plan, source, params);
  const stored = columnsIn(source, columns);
  const groups = plan.groups.map((group) => groupSql(group, stored));
  const values = [
    ...groups.map(({ value }) => value),
    ...plan.aggregates.map((aggregate) =>
      aggregateSql(aggregate, columns, params, aggregate.of && sharedSql(aggregate.of, groups, plan, source, params)),
    ),
  ];
  const named = values.map((sql, index) => `${sql} AS o${index}`);
  const bands = plan.derived
    ? seriesGroups(plan, columns).flatMap(({ key, value }, at) =>
        key === value ? [] : [`${groups[at]?.key} AS ${key}`],
      )
    : [];
  const grouped = `SELECT ${[...named, ...bands].join(", ")} FROM ${from}${groupBySql(groups)}`;
  const result = derivedSql(grouped, plan, columns);
  const having = plan.having?.map((condition) => conditionSql(condition, params, "o"));
  const held = having ? `SELECT * FROM (${result})${whereSql(having)}` : result;
  return plan.top ? `SELECT * FROM (${held}) QUALIFY ${placeSql(plan.top, "o")} <= ${plan.top.count}` : held;
}

/**
 * The number of rows that a share is of. Where groups overlap, their rows do not add up: each counts once, and all of
 * the result are all that match, also those without items.
 */
function sharedSql(
  of: readonly number[],
  groups: readonly GroupSql[],
  plan: GroupsPlan,
  source: Source,
  params: string[],
): string {
  const keys = of.map((at) => groups[at]?.key ?? "NULL");
  const at = plan.groups.findIndex(isOfItems);
  if (at < 0 || of.includes(at)) return agreeingSql(keys);
  if (of.length > 0) return agreeingSql(keys, "count(*) FILTER (WHERE n = 1)");
  return `(SELECT count(*) FROM ${groupedRowsSql({ ...plan, groups: [] }, source, params)})`;
}

const groupBySql = (groups: readonly GroupSql[]): string =>
  groups.length > 0 ? ` GROUP BY ${groups.map(({ key }) => key).join(", ")}` : "";

/** A group over the table's columns. */
export function groupSql(
  { column, bucket, width, isNear, zone, within }: PlannedGroup,
  columns: readonly EngineColumn[],
): GroupSql {
  const ref = bucket !== undefined && BUCKETS[bucket].isOfItems ? "e" : `c${column}`;
  const { storage, ...named } = columnAt(columns, column);
  const type = columnTypeOf(named);
  if (bucket !== undefined)
    return bucketSql(bucket, ref, type, storage, zone === undefined ? undefined : { zone, within });
  return width === undefined ? { key: ref, value: ref } : widthSql(ref, width, type, isNear);
}

/** An aggregate over the table's columns, cast to its result type. `of` is SQL of the rows that a share is of. */
export function aggregateSql(
  { function: name, column, filters, at, with: other, isComplete }: PlannedAggregate,
  columns: readonly EngineColumn[],
  params: string[],
  of?: string,
): string {
  const where = filters?.map((condition) => conditionSql(condition, params)).join(" AND ");
  return aggregateCall(name, `c${column}`, argumentType({ column }, columns), {
    where,
    at,
    with:
      other === undefined
        ? undefined
        : { column: `c${other}`, type: argumentType({ column: other }, columns), isComplete },
    of,
  });
}
