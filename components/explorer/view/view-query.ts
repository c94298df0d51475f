import { stringify } from "lossless-json";
import { filterValue } from "./filter-values";
import { isGroupedView, type View, type ViewColumn } from "./view";

/** What a query body holds; numbers of filters are LosslessNumber, which `queryText` writes with all their digits. */
export interface ViewQuery {
  columns: readonly string[];
  filters?: { column: string; operator: string; value?: unknown }[];
  order_by?: { column: string; direction: "asc" | "desc" }[];
  group_by?: readonly string[];
  aggregates?: { function: string; column?: string; as: string }[];
  limit?: number;
  cursor?: string;
  version_id?: string;
}

/** A page of a view: how many rows it asks for, and where it goes on. */
export interface PageOfView {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The view as the body of a query. Parts that say nothing are left out. */
export function viewQuery(view: View, columns: readonly ViewColumn[], page: PageOfView = {}): ViewQuery {
  const grouped = isGroupedView(view);
  const limit = page.limit ?? view.limit;
  return {
    columns: grouped ? [] : (view.columns ?? columns.map((column) => column.name)),
    ...(view.filters.length > 0 && { filters: view.filters.map((filter) => queryFilter(filter, columns)) }),
    ...(view.group.length > 0 && { group_by: view.group }),
    ...(view.aggregates.length > 0 && { aggregates: view.aggregates.map(queryAggregate) }),
    ...(view.sort.length > 0 && {
      order_by: view.sort.map(({ column, descending }) => ({ column, direction: descending ? "desc" : "asc" })),
    }),
    ...(limit !== undefined && { limit }),
    ...(page.cursor !== undefined && { cursor: page.cursor }),
    ...(view.version && { version_id: view.version }),
  };
}

/** The body as JSON text, on one line, with the digits of every number as they were typed. */
export const queryText = (query: ViewQuery): string => stringify(query) ?? "";

function queryFilter(
  filter: View["filters"][number],
  columns: readonly ViewColumn[],
): NonNullable<ViewQuery["filters"]>[number] {
  const type = columns.find((column) => column.name === filter.column)?.type ?? "string";
  const value = filterValue(filter, type);
  return { column: filter.column, operator: filter.operator, ...(value !== undefined && { value }) };
}

const queryAggregate = ({ function: name, column, alias }: View["aggregates"][number]) => ({
  function: name,
  ...(column !== undefined && { column }),
  as: alias,
});
