import { stringify } from "lossless-json";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { distanceName } from "@/lib/engine/plan/near";
import { planFaults } from "@/lib/engine/plan/plan";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import { BUCKETS, type BucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { DERIVATIONS, type DerivationName } from "@/lib/engine/types/derivations";
import type { OperatorName } from "@/lib/engine/types/operators";
import type { Fault } from "@/lib/kernel/errors";

type Item<Part extends "filters" | "order_by" | "group_by" | "aggregates"> = QueryBody[Part][number];

/** What a view needs to know of a column of the table. */
export interface ViewColumn {
  name: string;
  type: string;
}

/** A filter of a query. The numbers in `value` are LosslessNumber, which keep their digits. */
export interface ViewFilter extends Item<"filters"> {
  operator: OperatorName;
}

export interface ViewOrder extends Item<"order_by"> {
  direction: "asc" | "desc";
}

/** Spans of a column's values, by a bucket or a width. */
interface ViewSpans extends Exclude<Item<"group_by">, string> {
  bucket?: BucketName | undefined;
}

/** What rows are grouped by: a column's own values, or spans of them. */
export type ViewGroup = string | ViewSpans;

export interface ViewAggregate extends Item<"aggregates"> {
  function: AggregateName;
  filters?: ViewFilter[] | undefined;
}

/** A result computed from those of other groups. */
export interface ViewDerived extends Omit<NonNullable<QueryBody["derive"]>[number], "function"> {
  function: DerivationName;
}

/** The first rows, or groups, of each combination of some columns. */
export type ViewTop = NonNullable<QueryBody["top"]>;

export type ViewSearch = NonNullable<QueryBody["search"]>;

/** Columns of another table, which are among those that the explorer knows of the table. */
export type ViewLookup = NonNullable<QueryBody["lookups"]>[number];

/** The distance of rows from a place. Without `km`, no row is too far. */
export type ViewNear = NonNullable<QueryBody["near"]>;

/**
 * A chart of the result: columns of the table, or groups and aliases of a grouped view. `y` is empty where rows are
 * counted.
 */
export interface ViewChart {
  kind: string;
  x: string;
  y: string;
  series?: string | undefined;
  size?: string | undefined;
  log?: true | undefined;
  step?: BucketName | undefined;
}

/** The author's own words, for charts and frames. */
export interface ViewWords {
  title?: string | undefined;
  note?: string | undefined;
  /** Of the axes. */
  xTitle?: string | undefined;
  yTitle?: string | undefined;
}

/** The parameters of a URL that contain the author's words. */
export const WORDS = { title: "title", note: "note", xTitle: "xlabel", yTitle: "ylabel" } as const satisfies Record<
  keyof ViewWords,
  string
>;
export const WORD_NAMES = Object.keys(WORDS) as (keyof ViewWords)[];

/** The view without the author's words, which do not change what is drawn. */
export const withoutWords = (view: View): View => ({
  ...view,
  ...Object.fromEntries(WORD_NAMES.map((name) => [name, undefined])),
});

/** What is shown of a table: a query, and what is the explorer's alone. The URL holds all of it. */
export interface View extends ViewWords {
  /** Absent: all columns. Ignored in a grouped view. */
  columns?: readonly string[] | undefined;
  filters: readonly ViewFilter[];
  search?: ViewSearch | undefined;
  near?: ViewNear | undefined;
  lookups?: readonly ViewLookup[] | undefined;
  order_by: readonly ViewOrder[];
  group_by: readonly ViewGroup[];
  aggregates: readonly ViewAggregate[];
  /** Filters over groups and results. */
  having?: readonly ViewFilter[] | undefined;
  derive?: readonly ViewDerived[] | undefined;
  top?: ViewTop | undefined;
  /** The position of the first row that the grid shows, from 1. Absent: 1, and in grouped views. */
  firstRow?: number | undefined;
  /** The most rows, or groups, that the view shows. Absent: all rows, or the first groups that one reply holds. */
  limit?: number | undefined;
  chart?: ViewChart | undefined;
  /** The id of an older version. */
  version?: string | undefined;
}

export const WHOLE_TABLE: View = { filters: [], order_by: [], group_by: [], aggregates: [] };

export const isGroupedView = (view: Pick<View, "group_by" | "aggregates">): boolean =>
  view.group_by.length > 0 || view.aggregates.length > 0;

/** Whether a column is of another table. */
export const isLookedUp = ({ lookups = [] }: Pick<View, "lookups">, name: string): boolean =>
  lookups.some(({ as }) => name.startsWith(`${as}.`));

/** The distance of a view that leaves out rows too far away: the only one that groups may have. */
export const nearestOnly = ({ near }: Pick<View, "near">): ViewNear | undefined =>
  near?.km === undefined ? undefined : near;

/** The column of distances in the result of a view, or nothing. */
export const distancesIn = ({ near, ...view }: Pick<View, "near" | "group_by" | "aggregates">): ViewColumn[] =>
  near && !isGroupedView(view) ? [{ name: distanceName(near), type: "float64" }] : [];

/** A group with its name in the result. */
export type NamedGroup = ViewSpans & { as: string };

/** @example namedGroup("origin") // {column: "origin", as: "origin"} */
export const namedGroup = (group: ViewGroup): NamedGroup =>
  typeof group === "string" ? { column: group, as: group } : { ...group, as: group.as ?? group.column };

/** The names of a view's groups in its result. */
export const groupNames = (view: Pick<View, "group_by">): string[] =>
  view.group_by.map((group) => namedGroup(group).as);

type Results = Pick<View, "group_by" | "aggregates" | "derive">;

/** The names of a grouped view's result: groups, then aggregates, then what is derived from them. */
export const resultNames = (view: Results): string[] => [
  ...groupNames(view),
  ...[...view.aggregates, ...(view.derive ?? [])].map(({ as }) => as),
];

/** The columns of a grouped view's result. */
export function resultColumns(
  { group_by, aggregates, derive = [] }: Results,
  columns: readonly ViewColumn[],
): ViewColumn[] {
  const typeOf = (name: string | undefined) => columns.find((column) => column.name === name)?.type ?? "int64";
  const computed = [
    ...group_by.map(namedGroup).map(({ column, bucket, as }) => ({
      name: as,
      type: bucket === undefined ? typeOf(column) : BUCKETS[bucket].result(columnTypeOf({ type: typeOf(column) })).name,
    })),
    ...aggregates.map(({ function: name, column, as }) => ({
      name: as,
      type: AGGREGATES[name].result(columnTypeOf({ type: typeOf(column) })).name,
    })),
  ];
  for (const { function: name, of, as } of derive) {
    const { type = "int64" } = computed.find((column) => column.name === of) ?? {};
    computed.push({ name: as, type: DERIVATIONS[name].result(columnTypeOf({ type })).name });
  }
  return computed;
}

/** A page of a view: its number of rows, and where it continues. */
export interface PageOfView {
  limit?: number | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
  /** Whether all rows or groups are counted. */
  total?: boolean;
  /** Whether the reply says what in the result could mislead. */
  notes?: boolean;
}

/** Where the first page of a view begins. */
export const firstPlace = ({ firstRow = 1 }: View): PageOfView => (firstRow > 1 ? { offset: firstRow - 1 } : {});

/** What is asked once about the whole result. */
const aboutWhole = ({ total, notes }: PageOfView) => ({
  ...(total && { total: true as const }),
  ...(notes && { notes: true as const }),
});

const columnsOf = (view: View, columns: readonly ViewColumn[]): readonly string[] =>
  isGroupedView(view) ? [] : (view.columns ?? [...columns, ...distancesIn(view)].map(({ name }) => name));

/** The parts of a query that say which rows it reads, and what is added to them. */
const rowParts = ({ filters, search, near, lookups = [] }: View) => ({
  ...(filters.length > 0 && { filters }),
  ...(search && { search }),
  ...(near && { near }),
  ...(lookups.length > 0 && { lookups }),
});

/** The body of a query for a page of a view. Empty parts are left out. */
export function viewQuery(view: View, columns: readonly ViewColumn[], page: PageOfView = {}) {
  const { group_by, aggregates, having = [], derive = [], top, order_by, version } = view;
  const limit = page.limit ?? view.limit;
  return {
    columns: columnsOf(view, columns),
    ...rowParts(view),
    ...(group_by.length > 0 && { group_by }),
    ...(aggregates.length > 0 && { aggregates }),
    ...(having.length > 0 && { having }),
    ...(derive.length > 0 && { derive }),
    ...(order_by.length > 0 && { order_by }),
    ...(top && { top }),
    ...(limit !== undefined && { limit }),
    ...(page.offset !== undefined && { offset: page.offset }),
    ...(page.cursor !== undefined && { cursor: page.cursor }),
    ...aboutWhole(page),
    ...(version && { version_id: version }),
  };
}

/** What the engine rejects in a view's query, after what was found before. */
export function viewFaults(
  view: Partial<View>,
  columns: readonly ViewColumn[],
  before: readonly Fault[] = [],
): readonly Fault[] {
  const table = columns.map((column) => ({ ...column, storage: "" }));
  const names = columns.slice(0, 1).map(({ name }) => name);
  // columns that are looked up are among those of the table
  const asked = { ...WHOLE_TABLE, ...view, columns: view.columns ?? names };
  const body = { ...asked, lookups: undefined, limit: LIMIT_DEFAULT };
  return planFaults(body as unknown as QueryBody, table, before).slice(before.length);
}

export type ViewQuery = ReturnType<typeof viewQuery>;

/** The body as JSON text, on one line, with the digits of every number as entered. */
export const queryText = (query: Partial<ViewQuery>): string => stringify(query) ?? "";
