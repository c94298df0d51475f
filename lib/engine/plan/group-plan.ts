import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { planAggregate } from "./aggregate-plan";
import type { Condition } from "./conditions";
import { planDerive } from "./derive";
import { planFilters } from "./filters";
import { groupIndex, groupNames, planGroupBy } from "./groups";
import type { GroupsPlan, OrderKey } from "./planned";
import { isDescending, type Planning, reject } from "./planning";
import { aggregateColumn, groupedColumns } from "./result-columns";
import { planTop } from "./top";

/** The grouped half of a plan; its faults are collected in `planning`. */
export function planGroups(planning: Planning, body: QueryBody): Omit<GroupsPlan, "conditions" | "search"> {
  const groups = planGroupBy(planning, body.group_by);
  const names = groupNames(body.group_by);
  const aggregates = body.aggregates.flatMap(
    (entry, at) => planAggregate(planning, entry, `/aggregates/${at}`, names) ?? [],
  );
  checkAliases(planning, body);
  const results = new Map(
    body.aggregates.map(({ as }) => {
      const planned = aggregates.find((aggregate) => aggregate.as === as);
      return [as, planned && aggregateColumn(planned, planning.columns)];
    }),
  );
  const { derived, derivedColumns } = planDerive(planning, body, names, results);
  for (const key of ["offset", "cursor"] as const) {
    if (body[key] !== undefined)
      reject(planning, {
        pointer: `/${key}`,
        code: "paging_with_aggregates",
        message: "Grouped results cannot be paginated.",
      });
  }
  const having = planHaving(planning, body, [
    ...groupedColumns({ groups, aggregates }, planning.columns),
    ...derivedColumns,
  ]);
  const order = planGroupOrder(planning, body);
  const top = planTop(planning, body, order, (name, pointer) => groupIndex(planning, name, names, pointer));
  if (top.top && names.length > 0 && names.every((name) => body.top?.by.includes(name))) {
    const message = "Each combination of all groups is one group. Leave out the groups that are compared.";
    reject(planning, { pointer: "/top/by", code: "invalid_request", message });
  }
  return {
    kind: "groups",
    groups,
    aggregates,
    order,
    ...(having.length > 0 && { having }),
    ...top,
    ...(derived.length > 0 && { derived }),
  };
}

/** Filters over the result's columns. A result column that was itself rejected is not also reported as unknown. */
function planHaving(planning: Planning, body: QueryBody, columns: readonly EngineColumn[]): Condition[] {
  const { having = [] } = body;
  if (having.length === 0) return [];
  const names = resultNames(body);
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
  for (const [at, { as }] of (body.derive ?? []).entries()) take(as, `/derive/${at}/as`);
}

/** The names of a grouped body's result, in its order. */
const resultNames = ({ group_by, aggregates, derive = [] }: QueryBody): string[] => [
  ...groupNames(group_by),
  ...[...aggregates, ...derive].map((entry) => entry.as),
];

function planGroupOrder(planning: Planning, body: QueryBody): OrderKey[] {
  const names = resultNames(body);
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
