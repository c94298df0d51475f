import { isLosslessNumber } from "lossless-json";
import { GROUPS_MAX, TOP_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import type { OrderKey, PlannedTop } from "./planned";
import { bounded, type Planning, reject } from "./planning";

/**
 * What is returned of each combination of some columns; nothing if the body asks for all. `find` returns the index of a
 * column that can be used, or records a fault. Faults are collected in `planning`.
 */
export function planTop(
  planning: Planning,
  { top, order_by }: QueryBody,
  order: readonly OrderKey[],
  find: (name: string, pointer: string) => number | undefined,
): { top?: PlannedTop } {
  if (top === undefined) return {};
  const count = isLosslessNumber(top.count) ? wholeNumber(top.count.value) : undefined; // a URL may have other text
  const by = bounded(planning, "/top/by", top.by, GROUPS_MAX, "too_many_group_columns");
  const indexes = by.flatMap((name, at) => {
    const pointer = `/top/by/${at}`;
    const message = `Duplicate column ${JSON.stringify(name.slice(0, 100))}.`;
    if (by.indexOf(name) < at) reject(planning, { pointer, code: "duplicate_column", message });
    return find(name, pointer) ?? [];
  });
  if (by.length === 0)
    reject(planning, { pointer: "/top/by", code: "invalid_value", message: "Name at least one column." });
  if (count === undefined || count < 1 || count > TOP_MAX) {
    const message = `The count must be an integer from 1 to ${TOP_MAX}.`;
    reject(planning, { pointer: "/top/count", code: "invalid_value", message });
  }
  if (order_by.length === 0) {
    const message = "top needs order_by, which says what comes first.";
    reject(planning, { pointer: "/top", code: "invalid_request", message });
  }
  return { top: { by: indexes, count: count ?? 0, order } };
}
