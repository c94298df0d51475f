import { isTemporal } from "@/components/values/value-text";
import { functionsFor } from "@/lib/engine/types/column-types";
import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";
import { sameValue } from "./filter-values";
import { isGroupedView, type View, type ViewAggregate, type ViewColumn, type ViewFilter, type ViewSort } from "./view";

/**
 * The view with one filter more; one that says the same is not said twice, and a new equality takes the place of the
 * old.
 */
export function withFilter(view: View, ...added: readonly ViewFilter[]): View {
  const kept = view.filters.filter((old) => !added.some((filter) => replaces(filter, old)));
  return { ...view, filters: [...kept, ...added] };
}

const LOWER: ReadonlySet<string> = new Set(["gte", "gt"]);
const UPPER: ReadonlySet<string> = new Set(["lt", "lte"]);

/** Filters by click move: a column's new value or range stands instead of its old one. */
function replaces(filter: ViewFilter, old: ViewFilter): boolean {
  if (old.column !== filter.column || !RANGES.has(old.operator)) return false;
  if (LOWER.has(filter.operator)) return !UPPER.has(old.operator);
  if (UPPER.has(filter.operator)) return !LOWER.has(old.operator);
  return RANGES.has(filter.operator);
}

const RANGES: ReadonlySet<string> = new Set(["eq", "in", "is_null", ...LOWER, ...UPPER, "between"]);

/** The view with another range of a column; none for all of it. What else is asked of the column stays. */
export const withRange = (view: View, column: string, range: readonly ViewFilter[]): View => ({
  ...view,
  filters: [...view.filters.filter((old) => old.column !== column || !RANGES.has(old.operator)), ...range],
});

export const withoutFilter = (view: View, at: number): View => ({
  ...view,
  filters: view.filters.filter((_, index) => index !== at),
});

/** The next state of a column's order: ascending, descending, none. `add` keeps the other keys before it. */
export function withSort(view: View, column: string, add: boolean): View {
  const now = view.sort.find((key) => key.column === column);
  const next: ViewSort[] =
    now === undefined ? [{ column, descending: false }] : now.descending ? [] : [{ column, descending: true }];
  const others = add ? view.sort.filter((key) => key.column !== column) : [];
  return { ...view, sort: [...others, ...next] };
}

/** Rows counted by one column: in the column's order where time runs along it, else the commonest first. */
export function countedBy(view: View, column: ViewColumn): View {
  const alias = column.name.toLowerCase() === "rows" ? "row_count" : "rows";
  const sort = isTemporal(column.type)
    ? [{ column: column.name, descending: false }]
    : [{ column: alias, descending: true }];
  return {
    ...view,
    group: [column.name],
    aggregates: [{ function: "count", alias }],
    sort,
    limit: undefined,
    chart: undefined,
  };
}

/** The view of single rows again, with what still has a meaning there. */
export const ungrouped = (view: View): View => ({
  ...view,
  group: [],
  aggregates: [],
  sort: [],
  limit: undefined,
  chart: undefined,
});

/** The single rows that a group of a grouped view was counted from. */
export const rowsOfGroup = (view: View, group: Readonly<Record<string, unknown>>): View =>
  withFilter(ungrouped(view), ...view.group.map((column) => sameValue(column, group[column])));

/** The view with groups and results changed; what they leave without a meaning goes. */
export function regrouped(view: View, group: readonly string[], aggregates: readonly ViewAggregate[]): View {
  if (!isGroupedView({ group, aggregates })) return ungrouped(view);
  const names = [...group, ...aggregates.map((entry) => entry.alias)];
  const kept = isGroupedView(view) && group.length > 0 ? view.sort.filter((key) => names.includes(key.column)) : [];
  const [first] = aggregates;
  const sort = kept.length > 0 || group.length === 0 || !first ? kept : [{ column: first.alias, descending: true }];
  const drawn =
    view.chart &&
    [view.chart.x, view.chart.y, view.chart.series ?? ""].every((name) => name === "" || names.includes(name));
  return { ...view, group, aggregates, sort, chart: drawn ? view.chart : undefined };
}

/** A name for a result that no other column has, made of letters, digits and underscores. */
export function aliasFor(name: string, column: string | undefined, taken: readonly string[]): string {
  const joined = `${name}${column === undefined ? "" : `_${column}`}`.replaceAll(/[^A-Za-z0-9]+/g, "_");
  const words = withoutStart(withoutEnd(joined, "_"), "_").slice(0, 58);
  const base = /^[A-Za-z_]/.test(words) ? words : `_${words}`;
  const used = new Set(taken.map((text) => text.toLowerCase()));
  for (let at = 1; ; at++) {
    const alias = at === 1 ? base : `${base}_${at}`;
    if (!used.has(alias.toLowerCase())) return alias;
  }
}

/** The columns that a function takes. */
export const columnsFor = <Column extends ViewColumn>(name: string, columns: readonly Column[]): Column[] =>
  columns.filter((column) => functionsFor(column.type).includes(name));
