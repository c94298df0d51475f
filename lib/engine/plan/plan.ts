import {
  AGGREGATES_MAX,
  COLUMNS_MAX,
  FILTERS_MAX,
  GROUP_FILTERS_MAX,
  GROUPS_MAX,
  ORDER_MAX,
} from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { AggregateName } from "@/lib/engine/types/aggregates";
import type { BucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf, type EngineColumn, isOrderable } from "@/lib/engine/types/column-types";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { Failure, type Fault, failWith } from "@/lib/kernel/errors";
import type { Condition } from "./conditions";
import { planFilters, planSearch, type Search } from "./filters";
import { planGroups } from "./group-plan";
import { bounded, columnIndex, isDescending, type Planning, planNames, reject } from "./planning";
import { planTop } from "./top";

/** An order key. `column` indexes the table's columns or, in a grouped plan, the result's columns. */
export interface OrderKey {
  column: number;
  descending: boolean;
}

/** Of each combination of some columns only the first rows of an order; in a grouped plan, of the result's columns. */
export interface PlannedTop {
  by: readonly number[];
  count: number;
  order: readonly OrderKey[];
}

export interface RowsPlan {
  kind: "rows";
  columns: readonly number[];
  conditions: readonly Condition[];
  order: readonly OrderKey[];
  search?: Search;
  top?: PlannedTop;
}

export interface PlannedAggregate {
  function: AggregateName;
  column: number | undefined;
  as: string;
  /** Conditions over the table's columns; at least one. */
  filters?: readonly Condition[];
  /** A number from 0 to 1, as written. */
  at?: string;
  /** The column of the second value of each pair. */
  with?: number;
  /** Groups, by index: the rows of all groups that agree in them are what a group's rows are a share of. */
  of?: readonly number[];
}

/** A group: a column's values themselves, or the spans of a bucket or width that contain them. */
export interface PlannedGroup {
  column: number;
  as: string;
  bucket?: BucketName;
  /** A number that the column's type holds exactly or, for floats, a short decimal. */
  width?: string;
  /** Of a width of floats: whether all rows' values are near enough to zero for the shorter SQL (`bandSql`). */
  isNear?: true;
}

/**
 * Result columns are the groups, then the aggregates. `order` is total: group columns that the body's order does not
 * name are appended, ascending.
 */
export interface GroupsPlan {
  kind: "groups";
  groups: readonly PlannedGroup[];
  aggregates: readonly PlannedAggregate[];
  conditions: readonly Condition[];
  order: readonly OrderKey[];
  search?: Search;
  /** Conditions over the result's columns; at least one. */
  having?: readonly Condition[];
  top?: PlannedTop;
}

/** Reads part of a string in the only row that matches the filters. */
export interface CellPlan {
  kind: "cell";
  column: number;
  /** Characters before the part. */
  offset: number;
  conditions: readonly Condition[];
  search?: Search;
}

export type Plan = RowsPlan | GroupsPlan | CellPlan;

/** Whether a plan reads only some of the rows. */
export const isFiltered = (plan: Plan): boolean =>
  plan.conditions.length > 0 || plan.search !== undefined || (plan.kind === "rows" && plan.top !== undefined);

/** Whether a body requests groups or aggregates, which are not paginated. */
export const isGrouped = (body: QueryBody): boolean => body.group_by.length > 0 || body.aggregates.length > 0;

/**
 * Checks a body against a table's columns. Throws one failure with every fault, those in `found` first; reads no data.
 */
export function makePlan(query: QueryBody, columns: readonly EngineColumn[], found: readonly Fault[] = []): Plan {
  const planning: Planning = {
    columns,
    indexes: new Map(columns.map((column, index) => [column.name, index])),
    faults: [...found],
  };
  const body = boundedBody(planning, query);
  const grouped = isGrouped(body);
  const projected = planNames(planning, body.columns, "/columns");
  if (!grouped && !body.cell && body.columns.length === 0)
    reject(planning, { pointer: "/columns", code: "invalid_request", message: "Send at least one column." });
  const conditions = planFilters(planning, body.filters, "/filters");
  const search = planSearch(planning, body.search);
  const plan: Plan = body.cell
    ? { ...planCell(planning, body, body.cell), conditions, ...search }
    : grouped
      ? { ...planGroups(planning, body), conditions, ...search }
      : { ...planRows(planning, body), columns: projected, conditions, ...search };
  if (!grouped && body.having !== undefined)
    reject(planning, {
      pointer: "/having",
      code: "invalid_request",
      message: "having needs group_by or aggregates. Use filters for rows.",
    });
  if (!grouped && !body.cell && body.cursor !== undefined && body.offset !== undefined)
    reject(planning, { pointer: "/offset", code: "cursor_with_offset", message: "Send either a cursor or an offset." });
  if (planning.faults.length > 0) throw failWith(planning.faults);
  return plan;
}

/** Every fault of a body against a table's columns, those in `found` first. */
export function planFaults(body: QueryBody, columns: readonly EngineColumn[], found: readonly Fault[] = []) {
  try {
    makePlan(body, columns, found);
    return found;
  } catch (error) {
    if (error instanceof Failure) return error.faults;
    throw error;
  }
}

/** The body without anything beyond its bounds, so that a hostile body costs no more than the largest valid one. */
function boundedBody(planning: Planning, body: QueryBody): QueryBody {
  return {
    ...body,
    columns: bounded(planning, "/columns", body.columns, COLUMNS_MAX, "too_many_values"),
    filters: bounded(planning, "/filters", body.filters, FILTERS_MAX, "too_many_values"),
    order_by: bounded(planning, "/order_by", body.order_by, ORDER_MAX, "too_many_values"),
    group_by: bounded(planning, "/group_by", body.group_by, GROUPS_MAX, "too_many_group_columns"),
    aggregates: bounded(planning, "/aggregates", body.aggregates, AGGREGATES_MAX, "too_many_values"),
    ...(body.having && {
      having: bounded(planning, "/having", body.having, GROUP_FILTERS_MAX, "too_many_values"),
    }),
  };
}

/** The order of rows, and what is returned of each combination. */
function planRows(planning: Planning, body: QueryBody): Pick<RowsPlan, "kind" | "order" | "top"> {
  const order = planOrder(planning, body);
  const by = (name: string, pointer: string) => {
    const index = columnIndex(planning, name, pointer);
    const column = index === undefined ? undefined : planning.columns[index];
    if (column && !isOrderable(columnTypeOf(column)))
      reject(planning, {
        pointer,
        code: "column_not_groupable",
        message: `${JSON.stringify(name)} cannot be used in top. Its type is ${column.type}.`,
      });
    return index;
  };
  return { kind: "rows", order, ...planTop(planning, body, order, by) };
}

function planOrder(planning: Planning, body: QueryBody): OrderKey[] {
  const names = body.order_by.map((entry) => entry.column);
  return body.order_by.flatMap((entry, at) => {
    const descending = isDescending(planning, entry.direction, `/order_by/${at}/direction`);
    const column = columnIndex(planning, entry.column, `/order_by/${at}/column`);
    if (column === undefined) return [];
    const pointer = `/order_by/${at}/column`;
    if (names.indexOf(entry.column) < at)
      reject(planning, {
        pointer,
        code: "duplicate_column",
        message: `Duplicate column ${JSON.stringify(entry.column)}.`,
      });
    const type = planning.columns[column] && columnTypeOf(planning.columns[column]);
    if (type && !isOrderable(type))
      reject(planning, {
        pointer,
        code: "column_not_orderable",
        message: `${JSON.stringify(entry.column)} cannot be ordered. Its type is ${planning.columns[column]?.type}.`,
      });
    return [{ column, descending }];
  });
}

type Cell = NonNullable<QueryBody["cell"]>;

const GROUPING = ["group_by", "aggregates", "having", "order_by"] as const;
const OF_ROWS = ["cursor", "offset", "top"] as const;

/** The plan that reads one cell, without its filters; faults are collected in `planning`. */
function planCell(planning: Planning, body: QueryBody, cell: Cell): Omit<CellPlan, "conditions"> {
  const rejected = [...GROUPING.filter((key) => (body[key] ?? []).length > 0), ...pagingOf(body)];
  for (const key of rejected)
    reject(planning, { pointer: `/${key}`, code: "invalid_request", message: `${key} cannot be sent with cell.` });
  const index = columnIndex(planning, cell.column, "/cell/column");
  const column = index === undefined ? undefined : planning.columns[index];
  if (column && columnTypeOf(column).family !== "text")
    reject(planning, {
      pointer: "/cell/column",
      code: "operator_not_applicable",
      message: `cell does not apply to ${JSON.stringify(column.name)}, which is of type ${column.type}.`,
    });
  return { kind: "cell", column: index ?? -1, offset: offsetOf(planning, cell) };
}

const pagingOf = (body: QueryBody) => OF_ROWS.filter((key) => body[key] !== undefined);

function offsetOf(planning: Planning, { offset }: Cell): number {
  const characters = offset === undefined ? 0 : wholeNumber(offset.value);
  if (characters !== undefined && characters >= 0) return characters;
  const message = "The offset must be an integer of 0 or greater.";
  reject(planning, { pointer: "/cell/offset", code: "invalid_offset", message });
  return 0;
}
