import { isGroupedView, namedGroup, type View } from "@/lib/view/view";
import { fitsAddress, viewSearch } from "@/lib/view/view-address";

/**
 * The arguments of query_table that a view can express. Pages and cells cannot be expressed: a view is the entire
 * result.
 */
export type Query = Partial<
  Pick<
    View,
    "columns" | "filters" | "search" | "near" | "lookups" | "group_by" | "aggregates" | "having" | "derive" | "top"
  >
> & {
  order_by?: readonly { column: string; direction?: string }[];
  limit?: unknown;
};

/** The view that shows a query's result, of that version. */
export function queryView(query: Query, version: string): View {
  const {
    columns,
    filters = [],
    search,
    near,
    lookups,
    order_by = [],
    group_by = [],
    aggregates = [],
    having,
    derive,
    limit,
    top,
  } = query;
  return {
    ...(columns && !isGroupedView({ group_by, aggregates }) && { columns }),
    filters,
    ...(search && { search }),
    ...(near && { near }),
    ...(lookups?.length && { lookups }),
    order_by: order_by.map(({ column, direction }) => ({ column, direction: direction === "desc" ? "desc" : "asc" })),
    group_by,
    aggregates,
    ...(having?.length && { having }),
    ...(derive?.length && { derive }),
    ...(top && { top }),
    ...(limit !== undefined && { limit: Number(limit) }),
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
  const own = view.group_by.map(namedGroup).filter(({ bucket, width }) => bucket === undefined && width === undefined);
  const columnOf = (name: string) => own.find(({ as }) => as === name)?.column ?? name;
  const renamed = <Part extends { column: string }>(parts: readonly Part[]) =>
    parts.map((part) => ({ ...part, column: columnOf(part.column) }));
  const { chart, having, derive, top } = view;
  const series = chart?.series;
  return {
    ...view,
    group_by: view.group_by.map((group) =>
      own.some(({ as }) => as === namedGroup(group).as) ? namedGroup(group).column : group,
    ),
    order_by: renamed(view.order_by),
    ...(having && { having: renamed(having) }),
    ...(derive && {
      derive: derive.map(({ over, by, ...entry }) => ({
        ...entry,
        ...(over !== undefined && { over: columnOf(over) }),
        ...(by && { by: by.map(columnOf) }),
      })),
    }),
    ...(top && { top: { ...top, by: top.by.map(columnOf) } }),
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
