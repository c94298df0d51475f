import { ALLOWED_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import type { ErrorCode, Fault } from "@/lib/kernel/errors";

/** A table's columns, and the list that faults are collected in. */
export interface Planning {
  columns: readonly EngineColumn[];
  indexes: ReadonlyMap<string, number>;
  faults: Fault[];
}

/** The indexes of named columns; unknown and repeated names become faults. */
export function planNames(planning: Planning, names: readonly string[], pointer: string): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, at) => {
    const index = columnIndex(planning, name, `${pointer}/${at}`);
    if (index === undefined) return [];
    if (seen.has(name))
      reject(planning, {
        pointer: `${pointer}/${at}`,
        code: "duplicate_column",
        message: `Duplicate column ${JSON.stringify(name)}.`,
      });
    seen.add(name);
    return [index];
  });
}

/** A column's index; an unknown name becomes a fault. */
export function columnIndex(planning: Planning, name: string, pointer: string): number | undefined {
  const index = planning.indexes.get(name);
  if (index !== undefined) return index;
  const meant = planning.faults.length < MEANT_MAX ? didYouMean(name, planning.indexes.keys()) : undefined;
  const allowed = planning.columns.length <= ALLOWED_MAX ? planning.columns.map((column) => column.name) : undefined;
  reject(planning, {
    pointer,
    code: "unknown_column",
    message: `Unknown column ${JSON.stringify(name.slice(0, 100))}.`,
    ...(allowed && { allowed }),
    ...(meant !== undefined && { didYouMean: meant }),
  });
  return undefined;
}

export function reject(planning: Planning, fault: Fault): void {
  planning.faults.push(fault);
}

/** The first `max` items; more become one fault. */
export function bounded<T>(planning: Planning, pointer: string, items: T[], max: number, code: ErrorCode): T[] {
  if (items.length <= max) return items;
  reject(planning, { pointer, code, message: `Too many items: ${items.length} (maximum ${max}).` });
  return items.slice(0, max);
}

/** Whether the direction is descending; an unknown direction becomes a fault. */
export function isDescending(planning: Planning, direction: string, pointer: string): boolean {
  if (direction !== "asc" && direction !== "desc")
    reject(planning, {
      pointer,
      code: "invalid_order_by",
      message: "The direction must be asc or desc.",
      allowed: ["asc", "desc"],
    });
  return direction === "desc";
}
