import type { Grouping } from "@/components/explorer/view/view-changes";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { enteredNumber, valueAsText } from "@/lib/view/filter-values";
import {
  namedGroup,
  resultColumns,
  type ViewAggregate,
  type ViewColumn,
  type ViewDerived,
  type ViewFilter,
  type ViewGroup,
} from "@/lib/view/view";
import { draftOf, type FilterDraft, type FilteredColumn, filterOf } from "./filter-draft";

/**
 * A part of a grouped view while it is edited. Others refer to it by its key, which is the name that it had when the
 * editor opened, so that they follow while it is renamed.
 */
interface Keyed {
  key: string;
}

export interface GroupDraft extends Keyed {
  group: ViewGroup;
}

/** A result. `of` are keys of groups. */
export interface AggregateDraft extends Keyed, Pick<ViewAggregate, "function" | "column" | "as" | "with"> {
  of?: readonly string[] | undefined;
  /** Of a quantile, as typed. */
  at?: string | undefined;
  /** Of the rows that it is computed over. */
  conditions: readonly FilterDraft[];
}

/** A result derived from those of other groups. `of`, `over` and `by` are keys. */
export interface DerivedDraft extends Keyed, Pick<ViewDerived, "function" | "as" | "of"> {
  over?: string | undefined;
  /** Of a moving average, as typed. */
  size?: string | undefined;
  by: readonly string[];
  isAscending: boolean;
}

/** All parts of a grouped view while it is edited. The columns of `having` are keys. */
export interface GroupDrafts {
  groups: readonly GroupDraft[];
  aggregates: readonly AggregateDraft[];
  derived: readonly DerivedDraft[];
  having: readonly FilterDraft[];
}

export const draftsOf = ({ group_by, aggregates, derive = [], having = [] }: Grouping): GroupDrafts => ({
  groups: group_by.map((group) => ({ key: namedGroup(group).as, group })),
  aggregates: aggregates.map(({ filters = [], at, ...entry }) => ({
    ...entry,
    key: entry.as,
    ...(at && { at: valueAsText(at) }),
    conditions: filters.map(draftOf),
  })),
  derived: derive.map(({ function: name, as, of, over, size, by = [], direction }) => ({
    key: as,
    function: name,
    as,
    of,
    over,
    size: size && valueAsText(size),
    by,
    isAscending: direction === "asc",
  })),
  having: having.map(draftOf),
});

/** The names of groups and results, by their keys. */
export const namesOf = ({ groups, aggregates, derived }: GroupDrafts): ReadonlyMap<string, string> =>
  new Map([
    ...groups.map(({ key, group }) => [key, namedGroup(group).as] as const),
    ...[...aggregates, ...derived].map(({ key, as }) => [key, as] as const),
  ]);

/** The parts that the drafts describe. */
export function groupingOf(drafts: GroupDrafts, columns: readonly ViewColumn[]): Grouping {
  const names = namesOf(drafts);
  const nameOf = (key: string): string => names.get(key) ?? key;
  const results = keyedResults(drafts, columns);
  const having = drafts.having
    .filter(({ column }) => names.has(column))
    .map((draft) => filterOf(draft, results))
    .map((filter): ViewFilter => ({ ...filter, column: nameOf(filter.column) }));
  const { derive, ...parts } = unfiltered(drafts, columns);
  return { ...parts, derive: derive.length > 0 ? derive : undefined, having: having.length > 0 ? having : undefined };
}

function unfiltered(drafts: GroupDrafts, columns: readonly ViewColumn[]) {
  const names = namesOf(drafts);
  const nameOf = (key: string): string => names.get(key) ?? key;
  return {
    group_by: drafts.groups.map(({ group }) => group),
    aggregates: drafts.aggregates.map((draft) => aggregateOf(draft, columns, nameOf)),
    derive: drafts.derived.map((draft) => derivedOf(draft, nameOf)),
  };
}

/** The result's columns, named by their keys: groups, then aggregates, then what is derived from them. */
export function keyedResults(drafts: GroupDrafts, columns: readonly ViewColumn[]): FilteredColumn[] {
  const keys = [...namesOf(drafts).keys()];
  return resultColumns(unfiltered(drafts, columns), columns).map(({ name, type }, at) => ({
    name: keys[at] ?? name,
    label: name,
    type,
  }));
}

/** What a derived result refers to that has been removed. */
export const removedOf = ({ of, over, by }: DerivedDraft, names: ReadonlyMap<string, string>): string[] =>
  [of, over, ...by].filter((key) => key !== undefined && !names.has(key)) as string[];

const aggregateOf = (
  draft: AggregateDraft,
  columns: readonly ViewColumn[],
  nameOf: (key: string) => string,
): ViewAggregate => ({
  function: draft.function,
  ...(draft.column !== undefined && { column: draft.column }),
  ...(draft.at !== undefined && { at: enteredNumber(draft.at) }),
  ...(draft.with !== undefined && { with: draft.with }),
  ...(draft.of && { of: draft.of.map(nameOf) }),
  ...(draft.conditions.length > 0 && { filters: draft.conditions.map((condition) => filterOf(condition, columns)) }),
  as: draft.as,
});

function derivedOf(draft: DerivedDraft, nameOf: (key: string) => string): ViewDerived {
  const { function: name, as, of, over, size, by, isAscending } = draft;
  const { needs, takes } = DERIVATIONS[name];
  return {
    as,
    function: name,
    of: nameOf(of),
    ...(needs.includes("over") && over !== undefined && { over: nameOf(over) }),
    ...(needs.includes("size") && size !== undefined && { size: enteredNumber(size) }),
    ...(takes.includes("by") && by.length > 0 && { by: by.map(nameOf) }),
    ...(takes.includes("direction") && isAscending && { direction: "asc" }),
  };
}
