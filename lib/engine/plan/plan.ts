import {
  AGGREGATES_MAX,
  COLUMNS_MAX,
  DERIVED_MAX,
  FILTERS_MAX,
  GROUP_FILTERS_MAX,
  GROUPS_MAX,
  LOOKUPS_MAX,
  ORDER_MAX,
} from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { columnTypeOf, type EngineColumn, isOrderable } from "@/lib/engine/types/column-types";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { Failure, type Fault, failWith } from "@/lib/kernel/errors";
import { planFilters, planSearch } from "./filters";
import { planGroups } from "./group-plan";
import { type LookupTable, planLookups } from "./lookups";
import { planNear, withDistance } from "./near";
import type { CellPlan, OrderKey, Plan, RowsPlan } from "./planned";
import { bounded, columnIndex, isDescending, type Planning, planNames, reject } from "./planning";
import { planTop } from "./top";

/** Whether a plan reads only some of the rows. */
export const isFiltered = (plan: Plan): boolean =>
  plan.conditions.length > 0 || plan.search !== undefined || (plan.kind === "rows" && plan.top !== undefined);

/** Whether a body requests groups or aggregates, which are not paginated. */
export const isGrouped = (body: QueryBody): boolean => body.group_by.length > 0 || body.aggregates.length > 0;

/**
 * Checks a body against a table's columns. Throws one failure with every fault, those in `found` first; reads no data.
 */
export function makePlan(
  query: QueryBody,
  columns: readonly EngineColumn[],
  found: readonly Fault[] = [],
  tables: readonly LookupTable[] = [],
): Plan {
  const own: Planning = {
    columns,
    indexes: new Map(columns.map((column, index) => [column.name, index])),
    faults: [...found],
  };
  const body = boundedBody(own, query);
  const { result: planning, planned: lookups } = planLookups(own, body, tables);
  const grouped = isGrouped(body);
  const isRows = !grouped && !body.cell;
  const result = isRows ? withDistance(planning, body.near) : planning;
  const projected = planNames(result, body.columns, "/columns");
  if (isRows && body.columns.length === 0)
    reject(planning, { pointer: "/columns", code: "invalid_request", message: "Send at least one column." });
  const filters = planFilters(planning, body.filters, "/filters");
  const search = planSearch(planning, body.search);
  const { within, ...near } = planNear(planning, body, isRows);
  const conditions = [...filters, ...within];
  const plan: Plan = body.cell
    ? { ...planCell(planning, body, body.cell), conditions, ...search, ...near, ...lookups }
    : grouped
      ? { ...planGroups(planning, body), conditions, ...search, ...near, ...lookups }
      : {
          kind: "rows",
          columns: projected,
          conditions,
          ...planRows(planning, result, body),
          ...search,
          ...near,
          ...lookups,
        };
  if (!grouped && body.having !== undefined)
    reject(planning, {
      pointer: "/having",
      code: "invalid_request",
      message: "having needs group_by or aggregates. Use filters for rows.",
    });
  if (body.group_by.length === 0 && body.derive !== undefined) {
    const message = "derive needs group_by: it compares groups.";
    reject(planning, { pointer: "/derive", code: "invalid_request", message });
  }
  if (isRows && body.cursor !== undefined && body.offset !== undefined)
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
    ...(body.lookups && { lookups: bounded(planning, "/lookups", body.lookups, LOOKUPS_MAX, "too_many_values") }),
    ...(body.derive && { derive: bounded(planning, "/derive", body.derive, DERIVED_MAX, "too_many_values") }),
  };
}

/** The order of rows, which may be that of any column of the result, and what is returned of each combination. */
function planRows(planning: Planning, result: Planning, body: QueryBody): Pick<RowsPlan, "order" | "top"> {
  const order = planOrder(result, body);
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
  return { order, ...planTop(planning, body, order, by) };
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
