import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { planAggregate } from "./aggregate-plan";
import type { Condition } from "./conditions";
import { planFilters } from "./filters";
import { groupIndex, groupNames, planGroupBy } from "./groups";
import type { GroupsPlan, OrderKey } from "./planned";
import { isDescending, type Planning, reject } from "./planning";
import { groupedColumns } from "./result-columns";
import { planTop } from "./top";

/** The grouped half of a plan; its faults are collected in `planning`. */
export function planGroups(planning: Planning, body: QueryBody): Omit<GroupsPlan, "conditions" | "search"> {
  const groups = planGroupBy(planning, body.group_by);
  const names = groupNames(body.group_by);
  const aggregates = body.aggregates.flatMap(
    (entry, at) => planAggregate(planning, entry, `/aggregates/${at}`, names) ?? [],
  );
  checkAliases(planning, body);
  for (const key of ["offset", "cursor"] as const) {
    if (body[key] !== undefined)
      reject(planning, {
        pointer: `/${key}`,
        code: "paging_with_aggregates",
        message: "Grouped results cannot be paginated.",
      });
  }
  const having = planHaving(planning, body, { groups, aggregates });
  const order = planGroupOrder(planning, body);
  const top = planTop(planning, body, order, (name, pointer) => groupIndex(planning, name, names, pointer));
  if (top.top && names.length > 0 && names.every((name) => body.top?.by.includes(name))) {
    const message = "Each combination of all groups is one group. Leave out the groups that are compared.";
    reject(planning, { pointer: "/top/by", code: "invalid_request", message });
  }
  return { kind: "groups", groups, aggregates, order, ...(having.length > 0 && { having }), ...top };
}

/** Filters over the result's columns. A result column that was itself rejected is not also reported as unknown. */
function planHaving(
  planning: Planning,
  { having = [], group_by, aggregates }: QueryBody,
  planned: Pick<GroupsPlan, "groups" | "aggregates">,
): Condition[] {
  if (having.length === 0) return [];
  const columns = groupedColumns(planned, planning.columns);
  const names = [...groupNames(group_by), ...aggregates.map((entry) => entry.as)];
  const indexes = new Map(columns.map((column, index) => [column.name, index]));
  const results: Planning = { columns, indexes, faults: [] };
  const conditions = planFilters(results, having, "/having");
  const isRejected = (pointer: string) => {
    const at = /^\/having\/(\d+)\/column$/.exec(pointer)?.[1];
    return at !== undefined && names.includes(having[Number(at)]?.column ?? "");
  };
  planning.faults.push(...results.faults.filter(({ pointer }) => !isRejected(pointer)));
  return conditions;
}

function checkAliases(planning: Planning, body: QueryBody): void {
  const plain = body.group_by.filter((entry) => typeof entry === "string");
  const taken = new Set(plain.map((name) => name.toLowerCase()));
  const take = (as: string, pointer: string) => {
    if (taken.has(as.toLowerCase()))
      reject(planning, {
        pointer,
        code: "alias_conflict",
        message: `${JSON.stringify(as.slice(0, 100))} is already used as a result column.`,
      });
    taken.add(as.toLowerCase());
  };
  for (const [at, entry] of body.group_by.entries())
    if (typeof entry !== "string") take(entry.as ?? entry.column, `/group_by/${at}/as`);
  for (const [at, { as }] of body.aggregates.entries()) take(as, `/aggregates/${at}/as`);
}

function planGroupOrder(planning: Planning, body: QueryBody): OrderKey[] {
  const names = [...groupNames(body.group_by), ...body.aggregates.map((entry) => entry.as)];
  if (body.group_by.length === 0 && body.order_by.length > 0) {
    reject(planning, {
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
  reject(planning, {
    pointer: `/order_by/${at}/column`,
    code: "invalid_order_by",
    message: "Grouped queries can be ordered only by group columns and aliases.",
    allowed: names,
    ...(meant && { didYouMean: meant }),
  });
  return undefined;
}
