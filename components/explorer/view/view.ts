import type { AggregateName } from "@/lib/engine/types/aggregates";
import type { OperatorName } from "@/lib/engine/types/operators";

/** What a view needs to know of a column of the table. */
export interface ViewColumn {
  name: string;
  type: string;
}

/** A filter as people type it: the values are text, as many as the operator takes. */
export interface ViewFilter {
  column: string;
  operator: OperatorName;
  values: readonly string[];
}

export interface ViewSort {
  column: string;
  descending: boolean;
}

/** `column` is absent for count alone. */
export interface ViewAggregate {
  function: AggregateName;
  column?: string | undefined;
  alias: string;
}

/**
 * A chart of the result: columns of the table, or groups and aliases of a grouped view. `y` is empty where the kind
 * counts by itself.
 */
export interface ViewChart {
  kind: string;
  x: string;
  y: string;
  series?: string | undefined;
}

/** What is looked at in a table; the whole of it stands in the address. */
export interface View {
  /** Absent: all columns. Of no meaning in a grouped view. */
  columns?: readonly string[] | undefined;
  filters: readonly ViewFilter[];
  sort: readonly ViewSort[];
  group: readonly string[];
  aggregates: readonly ViewAggregate[];
  /** The most rows, or groups, that the view shows. Absent: all rows, or the first groups that one reply holds. */
  limit?: number | undefined;
  chart?: ViewChart | undefined;
  /** The id of an older version. */
  version?: string | undefined;
}

export const WHOLE_TABLE: View = { filters: [], sort: [], group: [], aggregates: [] };

export const isGroupedView = (view: Pick<View, "group" | "aggregates">): boolean =>
  view.group.length > 0 || view.aggregates.length > 0;
