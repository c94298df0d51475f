import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { AGGREGATES, isAggregateName } from "@/lib/engine/types/aggregates";
import { columnTypeOf, functionsFor, isOrderable } from "@/lib/engine/types/column-types";
import type { GroupsPlan, OrderKey, PlannedAggregate } from "./plan";
import { columnIndex, isDescending, type Planning, planNames, refuse } from "./planning";

const ALIAS = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** The grouped half of a plan; its faults are gathered in `planning`. */
export function planGroups(planning: Planning, body: QueryBody): Omit<GroupsPlan, "conditions"> {
  const groups = planGroupColumns(planning, body);
  const aggregates = body.aggregates.flatMap((entry, at) => planAggregate(planning, entry, `/aggregates/${at}`) ?? []);
  checkAliases(planning, body);
  for (const key of ["offset", "cursor"] as const) {
    if (body[key] !== undefined)
      refuse(planning, {
        pointer: `/${key}`,
        code: "paging_with_aggregates",
        message: "Grouped results cannot be paginated.",
      });
  }
  return { kind: "groups", groups, aggregates, order: planGroupOrder(planning, body) };
}

function planGroupColumns(planning: Planning, body: QueryBody): number[] {
  const groups = planNames(planning, body.group_by, "/group_by");
  for (const [at, name] of body.group_by.entries()) {
    const column = planning.columns[planning.indexes.get(name) ?? -1];
    if (column && !isOrderable(columnTypeOf(column)))
      refuse(planning, {
        pointer: `/group_by/${at}`,
        code: "column_not_groupable",
        message: `${JSON.stringify(name)} cannot be used in group_by. Its type is ${column.type}.`,
      });
  }
  return groups;
}

function planAggregate(
  planning: Planning,
  entry: QueryBody["aggregates"][number],
  pointer: string,
): PlannedAggregate | undefined {
  if (!ALIAS.test(entry.as))
    refuse(planning, {
      pointer: `${pointer}/as`,
      code: "invalid_alias",
      message: "An alias must have 1 to 63 letters, digits and underscores, and must not start with a digit.",
    });
  const column = entry.column === undefined ? undefined : columnIndex(planning, entry.column, `${pointer}/column`);
  if (!isAggregateName(entry.function)) {
    const meant = didYouMean(entry.function, Object.keys(AGGREGATES));
    refuse(planning, {
      pointer: `${pointer}/function`,
      code: "unknown_function",
      message: `Unknown function ${JSON.stringify(entry.function.slice(0, 100))}.`,
      allowed: Object.keys(AGGREGATES),
      ...(meant && { didYouMean: meant }),
    });
    return undefined;
  }
  if (AGGREGATES[entry.function].arity === 0) {
    if (entry.column !== undefined)
      refuse(planning, {
        pointer: `${pointer}/column`,
        code: "invalid_request",
        message: `${entry.function} does not take a column.`,
      });
    return { function: entry.function, column: undefined, as: entry.as };
  }
  checkApplies(planning, entry, column, pointer);
  return { function: entry.function, column, as: entry.as };
}

function checkApplies(
  planning: Planning,
  entry: QueryBody["aggregates"][number],
  index: number | undefined,
  pointer: string,
): void {
  if (entry.column === undefined)
    refuse(planning, {
      pointer: `${pointer}/column`,
      code: "invalid_request",
      message: `${entry.function} requires a column.`,
    });
  const column = index === undefined ? undefined : planning.columns[index];
  if (!column) return;
  const allowed = functionsFor(column.type);
  if (allowed.includes(entry.function)) return;
  const message =
    `${entry.function} does not apply to ${JSON.stringify(column.name)}, ` + `which is of type ${column.type}.`;
  refuse(planning, { pointer: `${pointer}/function`, code: "function_not_applicable", message, allowed });
}

function checkAliases(planning: Planning, body: QueryBody): void {
  const taken = new Set(body.group_by.map((name) => name.toLowerCase()));
  for (const [at, { as }] of body.aggregates.entries()) {
    const key = as.toLowerCase();
    if (taken.has(key))
      refuse(planning, {
        pointer: `/aggregates/${at}/as`,
        code: "alias_conflict",
        message: `${JSON.stringify(as.slice(0, 100))} is already used as a result column.`,
      });
    taken.add(key);
  }
}

function planGroupOrder(planning: Planning, body: QueryBody): OrderKey[] {
  const names = [...body.group_by, ...body.aggregates.map((entry) => entry.as)];
  if (body.group_by.length === 0 && body.order_by.length > 0) {
    refuse(planning, {
      pointer: "/order_by",
      code: "invalid_order_by",
      message: "Aggregates without group_by return one row and cannot be ordered.",
    });
    return [];
  }
  const order = body.order_by.flatMap((entry, at) => planGroupKey(planning, entry, at, names) ?? []);
  const named = new Set(order.map((key) => key.column));
  return [
    ...order,
    ...body.group_by.flatMap((_, column) => (named.has(column) ? [] : [{ column, descending: false }])),
  ];
}

function planGroupKey(
  planning: Planning,
  entry: QueryBody["order_by"][number],
  at: number,
  names: readonly string[],
): OrderKey | undefined {
  const descending = isDescending(planning, entry.direction, `/order_by/${at}/direction`);
  const column = names.indexOf(entry.column);
  if (column >= 0) return { column, descending };
  const meant = didYouMean(entry.column, names);
  refuse(planning, {
    pointer: `/order_by/${at}/column`,
    code: "invalid_order_by",
    message: "Grouped queries can be ordered only by group columns and aliases.",
    allowed: names,
    ...(meant && { didYouMean: meant }),
  });
  return undefined;
}
