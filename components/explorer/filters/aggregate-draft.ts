import { isShare } from "@/components/explorer/view/read-aggregates";
import type { ViewAggregate, ViewColumn } from "@/components/explorer/view/view";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { draftFault, draftOf, type FilterDraft, type FilteredColumn, filterOf } from "./filter-draft";

/** A result while it is edited. */
export interface AggregateDraft extends Omit<ViewAggregate, "filters"> {
  id: number;
  /** Of the rows that it is computed over. */
  conditions: readonly FilterDraft[];
}

export const draftAggregate = ({ filters = [], ...entry }: ViewAggregate, id: number): AggregateDraft => ({
  ...entry,
  id,
  conditions: filters.map(draftOf),
});

/** The aggregate that a draft describes. */
export function aggregateOf(draft: AggregateDraft, columns: readonly ViewColumn[]): ViewAggregate {
  const { id: _, conditions, ...entry } = draft;
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? "string";
  const filters = conditions.map((condition) => filterOf(condition, typeOf(condition.column)));
  return { ...entry, ...(filters.length > 0 && { filters }) };
}

const ALIAS = /^[A-Za-z_]\w{0,62}$/;

/** What is wrong with a result; `taken` lists the names before it. Its conditions show their own faults. */
export function aggregateFaultOf(
  { alias, function: name, at, conditions }: AggregateDraft,
  taken: readonly string[],
): string | undefined {
  if (!ALIAS.test(alias))
    return "Invalid name. Use 1 to 63 letters, digits and underscores, and don’t start with a digit.";
  if (taken.some((other) => other.toLowerCase() === alias.toLowerCase()))
    return `Another column is already called ${alias}.`;
  const { needs } = AGGREGATES[name];
  if (needs === "filters" && conditions.length === 0) return "Add a condition for the rows to count.";
  return needs === "at" && !isShare(at) ? "Enter a quantile from 0 to 1, such as 0.9." : undefined;
}

/** Whether a draft is complete, conditions included. */
export const isSoundAggregate = (
  draft: AggregateDraft,
  taken: readonly string[],
  columns: readonly FilteredColumn[],
): boolean =>
  aggregateFaultOf(draft, taken) === undefined &&
  draft.conditions.every((condition) => draftFault(condition, columns) === undefined);
