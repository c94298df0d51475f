import { isTemporal } from "@/components/values/value-text";
import { LIMIT_DEFAULT, ORDER_MAX } from "@/lib/engine/grammar/bounds";
import { type BucketName, bucketsFor, isBucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf, functionsFor, isOrderable } from "@/lib/engine/types/column-types";
import { isSpan } from "@/lib/engine/types/spans";
import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";
import type { Column } from "@/lib/schemas/column";
import {
  distancesIn,
  groupNames,
  isGroupedView,
  type NamedGroup,
  namedGroup,
  nearestOnly,
  resultNames,
  type View,
  type ViewColumn,
  type ViewFilter,
  type ViewGroup,
  type ViewNear,
  type ViewOrder,
} from "@/lib/view/view";
import { groupFilters } from "./group-filters";

/** The view with an additional filter; duplicates are dropped, and a new equality replaces the old one. */
export function withFilter(view: View, ...added: readonly ViewFilter[]): View {
  const kept = view.filters.filter((old) => !added.some((filter) => replaces(filter, old)));
  return { ...view, filters: [...kept, ...added] };
}

/** Starts the next view at its first row if its rows or their order differ from the previous view's. */
export function fromStart(changed: View, before: View): View {
  const next = changed.top && changed.order_by.length === 0 ? { ...changed, top: undefined } : changed;
  const isSame = (
    ["filters", "search", "near", "lookups", "order_by", "top", "group_by", "aggregates", "version"] as const
  ).every((part) => next[part] === before[part]);
  return isSame || next.firstRow !== before.firstRow ? next : { ...next, firstRow: undefined };
}

const LOWER: ReadonlySet<string> = new Set(["gte", "gt"]);
const UPPER: ReadonlySet<string> = new Set(["lt", "lte"]);

/** Filters set by clicking replace each other: a column's new value or range replaces its old one. */
function replaces(filter: ViewFilter, old: ViewFilter): boolean {
  if (old.column !== filter.column || !RANGES.has(old.operator)) return false;
  if (LOWER.has(filter.operator)) return !UPPER.has(old.operator);
  if (UPPER.has(filter.operator)) return !LOWER.has(old.operator);
  return RANGES.has(filter.operator);
}

const RANGES: ReadonlySet<string> = new Set(["eq", "in", "is_null", ...LOWER, ...UPPER, "between"]);

/** The view with another range of a column; no filters mean the full range. Other filters of the column are kept. */
export const withRange = (view: View, column: string, range: readonly ViewFilter[]): View => ({
  ...view,
  filters: [...view.filters.filter((old) => old.column !== column || !RANGES.has(old.operator)), ...range],
});

export const withoutFilter = (view: View, at: number): View => ({
  ...view,
  filters: view.filters.filter((_, index) => index !== at),
});

/** The view without distances, and without what names them. */
export function withoutNear(view: View): View {
  const names = distancesIn(view).map(({ name }) => name);
  const columns = view.columns?.filter((name) => !names.includes(name));
  return {
    ...view,
    near: undefined,
    columns: columns?.length === 0 ? undefined : columns,
    order_by: view.order_by.filter(({ column }) => !names.includes(column)),
  };
}

/**
 * The view with the distances from a place, or without any. `isFirst`: sorted by them, the nearest first unless it
 * already says otherwise. A choice of columns has the distance where it is new.
 */
export function withNear(before: View, near: ViewNear | undefined, isFirst: boolean): View {
  if (!near) return withoutNear(before);
  const view = { ...before, near };
  const [old, name] = [before, view].map((each) => distancesIn(each)[0]?.name);
  const others = before.order_by.filter(({ column }) => column !== old && column !== name);
  const isSorted = others.length < before.order_by.length;
  return {
    ...view,
    columns: name === undefined || old !== undefined ? before.columns : before.columns && [...before.columns, name],
    order_by:
      name === undefined || isFirst === isSorted
        ? before.order_by
        : isFirst
          ? [{ column: name, direction: "asc" as const }, ...others].slice(0, ORDER_MAX)
          : others,
  };
}

/** The next state of a column's order: ascending, descending, none. `add` keeps the other keys before it. */
export function withSort(view: View, column: string, add: boolean): View {
  const now = view.order_by.find((key) => key.column === column);
  const next: ViewOrder[] =
    now === undefined
      ? [{ column, direction: "asc" }]
      : now.direction === "desc"
        ? []
        : [{ column, direction: "desc" }];
  const others = add ? view.order_by.filter((key) => key.column !== column) : [];
  return { ...view, order_by: [...others, ...next] };
}

/** Rows counted by one column: times by spans in chronological order, other values with the most frequent first. */
export function countedBy(view: View, column: Column | ViewColumn): View {
  const group = usualGroup(column);
  const name = namedGroup(group).as;
  const as = name.toLowerCase() === "rows" ? "row_count" : "rows";
  return {
    ...view,
    near: nearestOnly(view),
    group_by: [group],
    aggregates: [{ function: "count", as }],
    having: undefined,
    derive: undefined,
    top: undefined,
    order_by: [isTemporal(column.type) ? { column: name, direction: "asc" } : { column: as, direction: "desc" }],
    limit: undefined,
    chart: undefined,
  };
}

/** How a column is grouped by default: times by spans that make a readable number of groups, lists by their items. */
export function usualGroup(column: Column | ViewColumn): ViewGroup {
  const type = columnTypeOf(column);
  const bucket = isOrderable(type) ? usualBucket(column) : bucketsFor(type).find((name) => name === "element");
  return bucket === undefined || !isBucketName(bucket) ? column.name : withSpan(column.name, { bucket });
}

/** The group with other spans, and the alias that results from them. */
export function withSpan(
  group: ViewGroup,
  { bucket, width }: Pick<NamedGroup, "bucket" | "width">,
  taken: readonly string[] = [],
): ViewGroup {
  const { column, zone } = namedGroup(group);
  if (bucket !== undefined) return { column, bucket, as: aliasFor(column, bucket, taken), ...(zone && { zone }) };
  return width === undefined ? column : { column, width, as: aliasFor(column, "from", taken) };
}

/** The view without groups, keeping only what still applies. */
export const ungrouped = (view: View): View => ({
  ...view,
  group_by: [],
  aggregates: [],
  having: undefined,
  derive: undefined,
  top: undefined,
  order_by: [],
  limit: undefined,
  chart: undefined,
});

/** The individual rows behind a group of a grouped view. */
export const rowsOfGroup = (view: View, row: Readonly<Record<string, unknown>>, columns: readonly ViewColumn[]): View =>
  withFilter(
    ungrouped(view),
    ...view.group_by.flatMap((group) => {
      const { column, as } = namedGroup(group);
      return groupFilters(group, row[as], columns.find(({ name }) => name === column)?.type ?? "string");
    }),
  );

/** What makes a grouped view. */
export type Grouping = Pick<View, "group_by" | "aggregates" | "having" | "derive">;

/**
 * The view with other groups and results; whatever no longer applies is removed. `names` are the new names of groups
 * and results, by their old ones: what named them follows. An order that nobody chose becomes the usual one of the new
 * groups.
 */
export function regrouped(before: View, grouping: Grouping, names: ReadonlyMap<string, string> = new Map()): View {
  if (!isGroupedView(grouping)) return ungrouped(before);
  const { group_by, aggregates } = grouping;
  const view = isGroupedView(before) ? withNames(before, names) : before;
  const results = resultNames(grouping);
  const isOrdered = isGroupedView(view) && group_by.length > 0;
  const kept = isOrdered ? view.order_by.filter((key) => results.includes(key.column)) : [];
  const usual = usualOrder(grouping);
  const isChosen = kept.length > 0 && !hasUsualOrder(before);
  const order_by = isChosen || usual.length === 0 ? kept : usual;
  const drawn =
    view.chart &&
    [view.chart.x, view.chart.y, view.chart.series ?? ""].every((name) => name === "" || results.includes(name));
  return {
    ...view,
    near: nearestOnly(view),
    group_by,
    aggregates,
    having: grouping.having,
    derive: grouping.derive,
    top: isOrdered ? stillFirst(view, groupNames({ group_by })) : undefined,
    order_by,
    chart: drawn ? view.chart : undefined,
  };
}

/** The view with other names for its groups and results, where it orders by them or draws them. */
function withNames(view: View, names: ReadonlyMap<string, string>): View {
  const nameOf = (name: string): string => names.get(name) ?? name;
  const { order_by, top, chart } = view;
  return {
    ...view,
    order_by: order_by.map((key) => ({ ...key, column: nameOf(key.column) })),
    top: top && { ...top, by: top.by.map(nameOf) },
    chart: chart && {
      ...chart,
      x: nameOf(chart.x),
      y: nameOf(chart.y),
      ...(chart.series !== undefined && { series: nameOf(chart.series) }),
      ...(chart.size !== undefined && { size: nameOf(chart.size) }),
    },
  };
}

/** A view's top, if these groups still have its columns and others besides. */
const stillFirst = ({ top }: View, groups: readonly string[]): View["top"] =>
  top && top.by.length < groups.length && top.by.every((name) => groups.includes(name)) ? top : undefined;

/** Spans of time are in chronological order; other groups are sorted by size, largest first. */
function usualOrder({ group_by: [group], aggregates: [first] }: Grouping): ViewOrder[] {
  if (group === undefined || !first) return [];
  const { bucket, as } = namedGroup(group);
  return bucket !== undefined && isSpan(bucket)
    ? [{ column: as, direction: "asc" }]
    : [{ column: first.as, direction: "desc" }];
}

function hasUsualOrder(view: View): boolean {
  const [usual] = usualOrder(view);
  const [key, ...others] = view.order_by;
  return others.length === 0 && key?.column === usual?.column && key?.direction === usual?.direction;
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

const DAY_MS = 86_400_000;

const SPANS: readonly (readonly [BucketName, number])[] = [
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", DAY_MS],
  ["month", 30.4 * DAY_MS],
];

/** The shortest time span with no more groups than a page shows; undefined for columns without times. */
function usualBucket(column: Pick<Column, "name" | "type"> & { profile?: Column["profile"] }): BucketName | undefined {
  if (!isTemporal(column.type)) return undefined;
  const offered = bucketsFor(columnTypeOf(column));
  const [from, to] = [column.profile?.min, column.profile?.max].map((end) => Date.parse(String(end)));
  const lengthMs = (to ?? Number.NaN) - (from ?? Number.NaN);
  const fits = SPANS.find(([name, spanMs]) => offered.includes(name) && lengthMs / spanMs < LIMIT_DEFAULT);
  return fits?.[0] ?? (Number.isNaN(lengthMs) ? "month" : "year");
}
