import { valueAsText } from "@/components/explorer/view/filter-values";
import type { View, ViewAggregate, ViewFilter, ViewGroup } from "@/components/explorer/view/view";
import { fitsAddress, viewSearch } from "@/components/explorer/view/view-address";
import type { AggregateName } from "@/lib/engine/types/aggregates";
import type { BucketName } from "@/lib/engine/types/buckets";
import type { OperatorName } from "@/lib/engine/types/operators";

interface QueryFilter {
  column: string;
  operator: string;
  value?: unknown;
  ignore_case?: boolean;
}

/**
 * The arguments of query_table that a view can express. Pages and cells cannot be expressed: a view is the entire
 * result.
 */
export interface Query {
  columns?: readonly string[];
  filters?: readonly QueryFilter[];
  search?: { text: string; columns?: readonly string[] };
  order_by?: readonly { column: string; direction?: string }[];
  group_by?: readonly (string | { column: string; bucket?: string; width?: unknown; as?: string })[];
  aggregates?: readonly {
    function: string;
    column?: string;
    as: string;
    filters?: readonly QueryFilter[];
    at?: unknown;
  }[];
  having?: readonly QueryFilter[];
  limit?: unknown;
}

/** The view that shows a query's result, of that version. */
export function queryView(query: Query, version: string): View {
  const group = (query.group_by ?? []).map(viewGroup);
  const aggregates = (query.aggregates ?? []).map(viewAggregate);
  const isGrouped = group.length > 0 || aggregates.length > 0;
  return {
    ...(query.columns && !isGrouped && { columns: query.columns }),
    filters: (query.filters ?? []).map(viewFilter),
    ...(query.search && { search: query.search }),
    sort: (query.order_by ?? []).map(({ column, direction }) => ({ column, descending: direction === "desc" })),
    group,
    aggregates,
    ...(query.having?.length && { having: query.having.map(viewFilter) }),
    ...(query.limit !== undefined && { limit: Number(query.limit) }),
    version,
  };
}

/** The view's URL, relative to the table's page; only the version if the view is too long for a URL. */
export function viewLink(page: string, view: View): string {
  const named = byColumns(view);
  return page + viewSearch(fitsAddress(named) ? named : { version: view.version });
}

/** In a URL, only spans have their own names; groups of a column's values have the column's name. */
function byColumns(view: View): View {
  const own = view.group.filter(({ bucket, width }) => bucket === undefined && width === undefined);
  const columnOf = (name: string) => own.find(({ alias }) => alias === name)?.column ?? name;
  const renamed = <Part extends { column: string }>(parts: readonly Part[]) =>
    parts.map((part) => ({ ...part, column: columnOf(part.column) }));
  const { chart, having } = view;
  const series = chart?.series;
  return {
    ...view,
    group: view.group.map((group) => ({ ...group, alias: columnOf(group.alias) })),
    sort: renamed(view.sort),
    ...(having && { having: renamed(having) }),
    ...(chart && {
      chart: {
        ...chart,
        x: columnOf(chart.x),
        y: columnOf(chart.y),
        ...(series !== undefined && { series: columnOf(series) }),
      },
    }),
  };
}

function viewFilter({ column, operator, value, ignore_case: ignoreCase }: QueryFilter): ViewFilter {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return {
    column,
    operator: operator as OperatorName,
    values: values.map(valueAsText),
    ...(ignoreCase && { ignoreCase: true }),
  };
}

function viewGroup(group: NonNullable<Query["group_by"]>[number]): ViewGroup {
  if (typeof group === "string") return { column: group, alias: group };
  const { column, bucket, width, as = column } = group;
  return {
    column,
    ...(bucket !== undefined && { bucket: bucket as BucketName }),
    ...(width !== undefined && { width: valueAsText(width) }),
    alias: as,
  };
}

const viewAggregate = ({
  function: name,
  column,
  as,
  filters = [],
  at,
}: NonNullable<Query["aggregates"]>[number]): ViewAggregate => ({
  function: name as AggregateName,
  alias: as,
  ...(column !== undefined && { column }),
  ...(filters.length > 0 && { filters: filters.map(viewFilter) }),
  ...(at !== undefined && { at: valueAsText(at) }),
});
