import { isLosslessNumber } from "lossless-json";
import { GROUP_FILTERS_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { AGGREGATES, type AggregateName, isAggregateName } from "@/lib/engine/types/aggregates";
import { functionsFor } from "@/lib/engine/types/column-types";
import { compareNumbers } from "@/lib/engine/types/exact-number";
import { planFilters } from "./filters";
import { checkAlias } from "./groups";
import type { PlannedAggregate } from "./plan";
import { bounded, columnIndex, type Planning, reject } from "./planning";

type Entry = QueryBody["aggregates"][number];

/** One aggregate of a body; its faults are collected in `planning`. */
export function planAggregate(planning: Planning, entry: Entry, pointer: string): PlannedAggregate | undefined {
  checkAlias(planning, entry.as, `${pointer}/as`);
  const column = entry.column === undefined ? undefined : columnIndex(planning, entry.column, `${pointer}/column`);
  const name = entry.function;
  if (!isAggregateName(name)) {
    rejectUnknown(planning, name, pointer);
    return undefined;
  }
  if (AGGREGATES[name].arity === 1) checkApplies(planning, entry, column, pointer);
  else if (entry.column !== undefined)
    reject(planning, {
      pointer: `${pointer}/column`,
      code: "invalid_request",
      message: `${name} does not take a column. To count the rows where it is present, send filters with is_not_null.`,
    });
  const taken = AGGREGATES[name].arity === 1 ? column : undefined;
  return { function: name, column: taken, as: entry.as, ...planUse(planning, entry, name, pointer) };
}

function rejectUnknown(planning: Planning, name: string, pointer: string): void {
  const meant = didYouMean(name, Object.keys(AGGREGATES));
  reject(planning, {
    pointer: `${pointer}/function`,
    code: "unknown_function",
    message: `Unknown function ${JSON.stringify(name.slice(0, 100))}.`,
    allowed: Object.keys(AGGREGATES),
    ...(meant && { didYouMean: meant }),
  });
}

function checkApplies(planning: Planning, entry: Entry, index: number | undefined, pointer: string): void {
  if (entry.column === undefined)
    reject(planning, {
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
  reject(planning, { pointer: `${pointer}/function`, code: "function_not_applicable", message, allowed });
}

/** What an aggregate takes in addition to its column. */
function planUse(
  planning: Planning,
  entry: Entry,
  name: AggregateName,
  pointer: string,
): Pick<PlannedAggregate, "filters" | "at"> {
  const path = `${pointer}/filters`;
  const entries = bounded(planning, path, entry.filters ?? [], GROUP_FILTERS_MAX, "too_many_values");
  const filters = planFilters(planning, entries, path);
  if (AGGREGATES[name].needs === "filters" && entries.length === 0)
    reject(planning, { pointer: path, code: "invalid_request", message: `${name} requires filters.` });
  const at = planAt(planning, entry, name, `${pointer}/at`);
  return { ...(filters.length > 0 && { filters }), ...(at !== undefined && { at }) };
}

function planAt(planning: Planning, { at }: Entry, name: AggregateName, pointer: string): string | undefined {
  if (AGGREGATES[name].needs !== "at") {
    if (at !== undefined) reject(planning, { pointer, code: "invalid_request", message: `${name} does not take at.` });
    return undefined;
  }
  const digits = isLosslessNumber(at) ? at.value : undefined;
  if (digits === undefined) {
    reject(planning, { pointer, code: "invalid_request", message: `${name} requires at, a number from 0 to 1.` });
    return undefined;
  }
  const isWithin = (compareNumbers(digits, "0") ?? -1) >= 0 && (compareNumbers(digits, "1") ?? 1) <= 0;
  if (isWithin) return String(Number(digits));
  reject(planning, { pointer, code: "invalid_value", message: "Expected a number from 0 to 1." });
  return undefined;
}
