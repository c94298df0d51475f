import { isLosslessNumber } from "lossless-json";
import { GROUPS_MAX, SPANS_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import {
  DERIVATIONS,
  type DerivationName,
  type DerivationNeed,
  derivationsFor,
  isDerivationName,
} from "@/lib/engine/types/derivations";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { checkAlias, groupIndex } from "./groups";
import type { PlannedDerived } from "./planned";
import { bounded, type Planning, reject } from "./planning";
import { derivedColumn } from "./result-columns";

type Entry = NonNullable<QueryBody["derive"]>[number];

/**
 * What a body derives from its results, in its order, and the columns that it gives; faults are collected in
 * `planning`. `groups` are the names of its groups; `aggregates` are their results' columns, undefined where one was
 * rejected.
 */
export function planDerive(
  planning: Planning,
  { derive = [] }: QueryBody,
  groups: readonly string[],
  aggregates: ReadonlyMap<string, EngineColumn | undefined>,
): { derived: PlannedDerived[]; derivedColumns: EngineColumn[] } {
  const known = new Map(aggregates);
  const derivedColumns: EngineColumn[] = [];
  const derived = derive.flatMap((entry, at) => {
    const planned = planEntry(planning, entry, `/derive/${at}`, groups, known);
    const of = known.get(entry.of);
    const column = planned && of && derivedColumn(planned, of);
    known.set(entry.as, column);
    if (column) derivedColumns.push(column);
    return planned ?? [];
  });
  return { derived, derivedColumns };
}

function planEntry(
  planning: Planning,
  entry: Entry,
  pointer: string,
  groups: readonly string[],
  known: ReadonlyMap<string, EngineColumn | undefined>,
): PlannedDerived | undefined {
  checkAlias(planning, entry.as, `${pointer}/as`);
  const { function: name } = entry;
  const of = [...known.keys()].indexOf(entry.of);
  if (of < 0) rejectUnknown(planning, entry.of, `${pointer}/of`, [...known.keys()]);
  const over = entry.over === undefined ? undefined : groupIndex(planning, entry.over, groups, `${pointer}/over`);
  const by = planBy(planning, entry.by, groups, `${pointer}/by`);
  const size = planSize(planning, entry, `${pointer}/size`);
  const ascending = isAscending(planning, entry, `${pointer}/direction`);
  if (!isDerivationName(name)) {
    const meant = didYouMean(name, Object.keys(DERIVATIONS));
    reject(planning, {
      pointer: `${pointer}/function`,
      code: "unknown_function",
      message: `Unknown function ${JSON.stringify(name.slice(0, 100))}.`,
      allowed: Object.keys(DERIVATIONS),
      ...(meant && { didYouMean: meant }),
    });
    return undefined;
  }
  checkApplies(planning, name, known.get(entry.of), `${pointer}/function`);
  checkNeeds(planning, entry, name, pointer);
  return {
    function: name,
    as: entry.as,
    of: groups.length + of,
    ...(over !== undefined && { over }),
    ...(size !== undefined && { size }),
    ...(by.length > 0 && { by }),
    ...(ascending && { isAscending: true }),
  };
}

function rejectUnknown(planning: Planning, name: string, pointer: string, allowed: readonly string[]): void {
  const meant = didYouMean(name, allowed);
  reject(planning, {
    pointer,
    code: "unknown_column",
    message: `Unknown result ${JSON.stringify(name.slice(0, 100))}. Name an aggregate, or an earlier entry of derive.`,
    ...(allowed.length > 0 && { allowed }),
    ...(meant && { didYouMean: meant }),
  });
}

function checkApplies(planning: Planning, name: DerivationName, of: EngineColumn | undefined, pointer: string): void {
  if (!of) return;
  const allowed = derivationsFor(columnTypeOf(of));
  if (allowed.includes(name)) return;
  const message = `${name} does not apply to ${JSON.stringify(of.name)}, which is of type ${of.type}.`;
  reject(planning, { pointer, code: "function_not_applicable", message, allowed });
}

const NEEDS: Readonly<Record<DerivationNeed, string>> = {
  over: "the name of the group whose order it follows",
  size: `a number of spans from 2 to ${SPANS_MAX}`,
  by: "names of groups",
  direction: "asc or desc",
};

function checkNeeds(planning: Planning, entry: Entry, name: DerivationName, pointer: string): void {
  const { needs, takes } = DERIVATIONS[name];
  for (const [key, what] of Object.entries(NEEDS) as [DerivationNeed, string][]) {
    const isSent = entry[key] !== undefined;
    const message =
      !isSent && needs.includes(key) ? `${name} requires ${key}, ${what}.` : `${name} does not take ${key}.`;
    if (isSent ? ![...needs, ...takes].includes(key) : needs.includes(key))
      reject(planning, { pointer: `${pointer}/${key}`, code: "invalid_request", message });
  }
}

function planBy(planning: Planning, by: readonly string[] = [], groups: readonly string[], pointer: string): number[] {
  return bounded(planning, pointer, [...by], GROUPS_MAX, "too_many_group_columns").flatMap((group, at) => {
    const path = `${pointer}/${at}`;
    const message = `Duplicate group ${JSON.stringify(group.slice(0, 100))}.`;
    if (by.indexOf(group) < at) reject(planning, { pointer: path, code: "duplicate_column", message });
    return groupIndex(planning, group, groups, path) ?? [];
  });
}

function planSize(planning: Planning, { size }: Entry, pointer: string): number | undefined {
  if (size === undefined) return undefined;
  const spans = isLosslessNumber(size) ? wholeNumber(size.value) : undefined;
  if (spans !== undefined && spans >= 2 && spans <= SPANS_MAX) return spans;
  const message = `The size must be an integer from 2 to ${SPANS_MAX}.`;
  reject(planning, { pointer, code: "invalid_value", message });
  return undefined;
}

function isAscending(planning: Planning, { direction = "desc" }: Entry, pointer: string): boolean {
  const allowed = ["asc", "desc"];
  const message = "The direction must be asc or desc.";
  if (!allowed.includes(direction)) reject(planning, { pointer, code: "invalid_value", message, allowed });
  return direction === "asc";
}
