import type { AggregateName } from "@/lib/engine/types/aggregates";
import type { BucketName } from "@/lib/engine/types/buckets";
import type { OperatorName } from "@/lib/engine/types/operators";

/** What a view needs to know of a column of the table. */
export interface ViewColumn {
  name: string;
  type: string;
}

/** A filter as people enter it: the values are text, as many as the operator takes. */
export interface ViewFilter {
  column: string;
  operator: OperatorName;
  values: readonly string[];
  /** Only for strings. */
  ignoreCase?: boolean | undefined;
}

export interface ViewSort {
  column: string;
  descending: boolean;
}

/**
 * What rows are grouped by: a column's own values, or spans of them, by a bucket or a width (a number as entered).
 * `alias` is the result's column: `{column: "date", bucket: "month", alias: "date_month"}`.
 */
export interface ViewGroup {
  column: string;
  bucket?: BucketName | undefined;
  width?: string | undefined;
  alias: string;
}

/** `column` is absent for count and share. */
export interface ViewAggregate {
  function: AggregateName;
  column?: string | undefined;
  alias: string;
  /** Conditions on the rows that it is computed over. */
  filters?: readonly ViewFilter[] | undefined;
  /** For a quantile: a number from 0 to 1, as entered. */
  at?: string | undefined;
}

/** Selects rows in which a string column contains the text, ignoring case. Without columns, all are searched. */
export interface ViewSearch {
  text: string;
  columns?: readonly string[] | undefined;
}

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

/** What is shown of a table. The URL holds all of it. */
export interface View extends ViewWords {
  /** Absent: all columns. Ignored in a grouped view. */
  columns?: readonly string[] | undefined;
  filters: readonly ViewFilter[];
  search?: ViewSearch | undefined;
  sort: readonly ViewSort[];
  group: readonly ViewGroup[];
  aggregates: readonly ViewAggregate[];
  /** Filters over groups and results. */
  having?: readonly ViewFilter[] | undefined;
  /** The position of the first row that the grid shows, from 1. Absent: 1, and in grouped views. */
  firstRow?: number | undefined;
  /** The most rows, or groups, that the view shows. Absent: all rows, or the first groups that one reply holds. */
  limit?: number | undefined;
  chart?: ViewChart | undefined;
  /** The id of an older version. */
  version?: string | undefined;
}

export const WHOLE_TABLE: View = { filters: [], sort: [], group: [], aggregates: [] };

export const isGroupedView = (view: Pick<View, "group" | "aggregates">): boolean =>
  view.group.length > 0 || view.aggregates.length > 0;

/** The group of a column's own values. */
export const groupOf = (column: string): ViewGroup => ({ column, alias: column });

/** The names of a view's groups in its result. */
export const groupAliases = (view: Pick<View, "group">): string[] => view.group.map(({ alias }) => alias);
