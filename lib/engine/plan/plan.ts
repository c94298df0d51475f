import { AGGREGATES_MAX, COLUMNS_MAX, FILTERS_MAX, GROUPS_MAX, ORDER_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { AggregateName } from "@/lib/engine/types/aggregates";
import { columnTypeOf, type EngineColumn, isOrderable } from "@/lib/engine/types/column-types";
import { type Fault, failWith } from "@/lib/kernel/errors";
import { type Condition, conditionFor } from "./conditions";
import { planGroups } from "./group-plan";
import { bounded, columnIndex, isDescending, type Planning, planNames, refuse } from "./planning";

/** An order key. `column` indexes the table's columns; in a grouped plan the result's columns. */
export interface OrderKey {
  column: number;
  descending: boolean;
}

export interface RowsPlan {
  kind: "rows";
  columns: readonly number[];
  conditions: readonly Condition[];
  order: readonly OrderKey[];
}

export interface PlannedAggregate {
  function: AggregateName;
  column: number | undefined;
  as: string;
}

/**
 * Result columns are the groups, then the aggregates. `order` is total: groups that it does not name follow, ascending.
 */
export interface GroupsPlan {
  kind: "groups";
  groups: readonly number[];
  aggregates: readonly PlannedAggregate[];
  conditions: readonly Condition[];
  order: readonly OrderKey[];
}

export type Plan = RowsPlan | GroupsPlan;

/** Whether a body asks for groups or aggregates, which have no pages. */
export const isGrouped = (body: QueryBody): boolean => body.group_by.length > 0 || body.aggregates.length > 0;

/**
 * Checks a body against a table's columns. Throws one failure with every fault, those `found` before first; reads no
 * data.
 */
export function makePlan(given: QueryBody, columns: readonly EngineColumn[], found: readonly Fault[] = []): Plan {
  const planning: Planning = {
    columns,
    indexes: new Map(columns.map((column, index) => [column.name, index])),
    faults: [...found],
  };
  const body = boundedBody(planning, given);
  const grouped = isGrouped(body);
  const projected = planNames(planning, body.columns, "/columns");
  if (!grouped && body.columns.length === 0)
    refuse(planning, { pointer: "/columns", code: "invalid_request", message: "Send at least one column." });
  const conditions = planConditions(planning, body);
  const plan: Plan = grouped
    ? { ...planGroups(planning, body), conditions }
    : { kind: "rows", columns: projected, conditions, order: planOrder(planning, body) };
  if (!grouped && body.cursor !== undefined && body.offset !== undefined)
    refuse(planning, { pointer: "/offset", code: "cursor_with_offset", message: "Send either a cursor or an offset." });
  if (planning.faults.length > 0) throw failWith(planning.faults);
  return plan;
}

/** The body without what is over its bounds, so that a hostile one costs no more than the largest good one. */
function boundedBody(planning: Planning, body: QueryBody): QueryBody {
  return {
    ...body,
    columns: bounded(planning, "/columns", body.columns, COLUMNS_MAX, "too_many_values"),
    filters: bounded(planning, "/filters", body.filters, FILTERS_MAX, "too_many_values"),
    order_by: bounded(planning, "/order_by", body.order_by, ORDER_MAX, "too_many_values"),
    group_by: bounded(planning, "/group_by", body.group_by, GROUPS_MAX, "too_many_group_columns"),
    aggregates: bounded(planning, "/aggregates", body.aggregates, AGGREGATES_MAX, "too_many_values"),
  };
}

function planConditions(planning: Planning, body: QueryBody): Condition[] {
  return body.filters.flatMap((filter, at) => {
    const index = columnIndex(planning, filter.column, `/filters/${at}/column`);
    const condition = conditionFor(
      filter,
      `/filters/${at}`,
      index === undefined ? undefined : planning.columns[index],
      index ?? -1,
    );
    if (!Array.isArray(condition)) return [condition];
    planning.faults.push(...condition);
    return [];
  });
}

function planOrder(planning: Planning, body: QueryBody): OrderKey[] {
  const names = body.order_by.map((entry) => entry.column);
  return body.order_by.flatMap((entry, at) => {
    const descending = isDescending(planning, entry.direction, `/order_by/${at}/direction`);
    const column = columnIndex(planning, entry.column, `/order_by/${at}/column`);
    if (column === undefined) return [];
    const pointer = `/order_by/${at}/column`;
    if (names.indexOf(entry.column) < at)
      refuse(planning, {
        pointer,
        code: "duplicate_column",
        message: `Duplicate column ${JSON.stringify(entry.column)}.`,
      });
    const type = planning.columns[column] && columnTypeOf(planning.columns[column]);
    if (type && !isOrderable(type))
      refuse(planning, {
        pointer,
        code: "column_not_orderable",
        message: `${JSON.stringify(entry.column)} cannot be ordered. Its type is ${planning.columns[column]?.type}.`,
      });
    return [{ column, descending }];
  });
}
