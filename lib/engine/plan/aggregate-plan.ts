import { isLosslessNumber } from "lossless-json";
import { GROUP_FILTERS_MAX, GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { AGGREGATES, type AggregateName, isAggregateName } from "@/lib/engine/types/aggregates";
import { functionsFor } from "@/lib/engine/types/column-types";
import { compareNumbers } from "@/lib/engine/types/exact-number";
import { planFilters } from "./filters";
import { checkAlias, groupIndex } from "./groups";
import type { PlannedAggregate } from "./planned";
import { bounded, columnIndex, type Planning, reject } from "./planning";

type Entry = QueryBody["aggregates"][number];

/** One aggregate of a body; its faults are collected in `planning`. `groups` are the names of the body's groups. */
export function planAggregate(
  planning: Planning,
  entry: Entry,
  pointer: string,
  groups: readonly string[],
): PlannedAggregate | undefined {
  checkAlias(planning, entry.as, `${pointer}/as`);
  const column = entry.column === undefined ? undefined : columnIndex(planning, entry.column, `${pointer}/column`);
  const name = entry.function;
  if (!isAggregateName(name)) {
    rejectUnknown(planning, name, pointer);
    return undefined;
  }
  if (AGGREGATES[name].arity === 1)
    if (entry.column === undefined)
      reject(planning, {
        pointer: `${pointer}/column`,
        code: "invalid_request",
        message: `${name} requires a column.`,
      });
    else checkApplies(planning, name, entry.column, `${pointer}/function`);
  else if (entry.column !== undefined)
    reject(planning, {
      pointer: `${pointer}/column`,
      code: "invalid_request",
      message: `${name} does not take a column. To count the rows where it is present, send filters with is_not_null.`,
    });
  const taken = AGGREGATES[name].arity === 1 ? column : undefined;
  return { function: name, column: taken, as: entry.as, ...planUse(planning, entry, name, pointer, groups) };
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

/** Checks that a function applies to a column, if that is known. */
function checkApplies(planning: Planning, name: AggregateName, named: string, pointer: string): void {
  const column = planning.columns[planning.indexes.get(named) ?? -1];
  if (!column) return;
  const allowed = functionsFor(column.type);
  if (allowed.includes(name)) return;
  const message = `${name} does not apply to ${JSON.stringify(column.name)}, which is of type ${column.type}.`;
  reject(planning, { pointer, code: "function_not_applicable", message, allowed });
}

/** What an aggregate takes in addition to its column. */
function planUse(
  planning: Planning,
  entry: Entry,
  name: AggregateName,
  pointer: string,
  groups: readonly string[],
): Pick<PlannedAggregate, "filters" | "at" | "with" | "of"> {
  const path = `${pointer}/filters`;
  const entries = bounded(planning, path, entry.filters ?? [], GROUP_FILTERS_MAX, "too_many_values");
  const filters = planFilters(planning, entries, path);
  const of = planOf(planning, entry, name, `${pointer}/of`, groups);
  if (AGGREGATES[name].needs?.includes("filters") && entries.length > 0 === (entry.of !== undefined))
    reject(planning, { pointer: path, code: "invalid_request", message: `${name} requires either filters or of.` });
  const at = planAt(planning, entry, name, `${pointer}/at`);
  const other = planWith(planning, entry, name, pointer);
  return {
    ...(filters.length > 0 && { filters }),
    ...(at !== undefined && { at }),
    ...(other !== undefined && { with: other }),
    ...(of && { of }),
  };
}

/** The second column of a function of pairs. */
function planWith(planning: Planning, entry: Entry, name: AggregateName, pointer: string): number | undefined {
  const path = `${pointer}/with`;
  if (!AGGREGATES[name].needs?.includes("with")) {
    if (entry.with !== undefined)
      reject(planning, { pointer: path, code: "invalid_request", message: `${name} does not take with.` });
    return undefined;
  }
  if (entry.with === undefined) {
    const message = `${name} requires with, the name of another numeric column.`;
    reject(planning, { pointer: path, code: "invalid_request", message });
    return undefined;
  }
  checkApplies(planning, name, entry.with, path);
  return columnIndex(planning, entry.with, path);
}

/** The groups that a share is of, by index. */
function planOf(
  planning: Planning,
  { of }: Entry,
  name: AggregateName,
  pointer: string,
  groups: readonly string[],
): number[] | undefined {
  if (of === undefined) return undefined;
  if (!AGGREGATES[name].needs?.includes("of"))
    reject(planning, { pointer, code: "invalid_request", message: `${name} does not take of.` });
  return bounded(planning, pointer, of, GROUPS_MAX, "too_many_group_columns").flatMap((group, at) => {
    const path = `${pointer}/${at}`;
    const index = groupIndex(planning, group, groups, path);
    if (index === undefined) return [];
    if (of.indexOf(group) < at)
      reject(planning, {
        pointer: path,
        code: "duplicate_column",
        message: `Duplicate group ${JSON.stringify(group)}.`,
      });
    return [index];
  });
}

function planAt(planning: Planning, { at }: Entry, name: AggregateName, pointer: string): string | undefined {
  if (!AGGREGATES[name].needs?.includes("at")) {
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
