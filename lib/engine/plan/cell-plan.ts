import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import type { CellPlan } from "./plan";
import { columnIndex, type Planning, reject } from "./planning";

type Cell = NonNullable<QueryBody["cell"]>;

const GROUPING = ["group_by", "aggregates", "having", "order_by"] as const;

/** The plan that reads one cell, without its filters; faults are collected in `planning`. */
export function planCell(planning: Planning, body: QueryBody, cell: Cell): Omit<CellPlan, "conditions"> {
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

const pagingOf = (body: QueryBody) => (["cursor", "offset"] as const).filter((key) => body[key] !== undefined);

function offsetOf(planning: Planning, { offset }: Cell): number {
  const characters = offset === undefined ? 0 : wholeNumber(offset.value);
  if (characters !== undefined && characters >= 0) return characters;
  const message = "The offset must be an integer of 0 or greater.";
  reject(planning, { pointer: "/cell/offset", code: "invalid_offset", message });
  return 0;
}
