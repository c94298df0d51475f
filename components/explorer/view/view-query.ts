import { LosslessNumber, stringify } from "lossless-json";
import { filterValue } from "./filter-values";
import { resultColumns } from "./result-columns";
import {
  isGroupedView,
  type View,
  type ViewAggregate,
  type ViewColumn,
  type ViewFilter,
  type ViewSearch,
} from "./view";

interface QueryFilter {
  column: string;
  operator: string;
  value?: unknown;
  ignore_case?: true;
}

/** A query's body. Numbers in filters are LosslessNumber, which `queryText` writes with all their digits. */
export interface ViewQuery {
  columns: readonly string[];
  filters?: QueryFilter[];
  search?: { text: string; columns?: readonly string[] };
  having?: QueryFilter[];
  order_by?: { column: string; direction: "asc" | "desc" }[];
  group_by?: readonly (string | { column: string; bucket?: string; width?: unknown; as?: string })[];
  aggregates?: { function: string; column?: string; as: string; filters?: QueryFilter[]; at?: unknown }[];
  limit?: number;
  offset?: number;
  cursor?: string;
  total?: true;
  version_id?: string;
}

/** A page of a view: its number of rows, and where it continues. */
export interface PageOfView {
  limit?: number | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
  /** Whether all rows or groups are counted. */
  total?: boolean;
}

/** Where the first page of a view begins. */
export const firstPlace = ({ firstRow = 1 }: View): PageOfView => (firstRow > 1 ? { offset: firstRow - 1 } : {});

/** The view as the body of a query. Empty parts are left out. */
export function viewQuery(view: View, columns: readonly ViewColumn[], page: PageOfView = {}): ViewQuery {
  const grouped = isGroupedView(view);
  const limit = page.limit ?? view.limit;
  return {
    columns: grouped ? [] : (view.columns ?? columns.map((column) => column.name)),
    ...(view.filters.length > 0 && { filters: view.filters.map((filter) => queryFilter(filter, columns)) }),
    ...(view.search && { search: querySearch(view.search) }),
    ...(view.group.length > 0 && { group_by: view.group.map(queryGroup) }),
    ...(view.aggregates.length > 0 && {
      aggregates: view.aggregates.map((aggregate) => queryAggregate(aggregate, columns)),
    }),
    ...(view.having?.length && {
      having: view.having.map((filter) => queryFilter(filter, resultColumns(view, columns))),
    }),
    ...(view.sort.length > 0 && {
      order_by: view.sort.map(({ column, descending }) => ({ column, direction: descending ? "desc" : "asc" })),
    }),
    ...(limit !== undefined && { limit }),
    ...(page.offset !== undefined && { offset: page.offset }),
    ...(page.cursor !== undefined && { cursor: page.cursor }),
    ...(page.total && { total: true as const }),
    ...(view.version && { version_id: view.version }),
  };
}

/** The body as JSON text, on one line, with the digits of every number as entered. */
export const queryText = (query: ViewQuery): string => stringify(query) ?? "";

const querySearch = ({ text, columns }: ViewSearch) => ({ text, ...(columns && { columns }) });

function queryFilter(filter: ViewFilter, columns: readonly ViewColumn[]): QueryFilter {
  const type = columns.find((column) => column.name === filter.column)?.type ?? "string";
  const value = filterValue(filter, type);
  return {
    column: filter.column,
    operator: filter.operator,
    ...(value !== undefined && { value }),
    ...(filter.ignoreCase && { ignore_case: true as const }),
  };
}

function queryGroup({ column, bucket, width, alias }: View["group"][number]) {
  if (bucket === undefined && width === undefined) return column;
  return {
    column,
    ...(bucket !== undefined && { bucket }),
    ...(width !== undefined && { width: filterValue({ operator: "eq", values: [width] }, "float64") }),
    ...(alias !== column && { as: alias }),
  };
}

const queryAggregate = (
  { function: name, column, alias, filters, at }: ViewAggregate,
  columns: readonly ViewColumn[],
) => ({
  function: name,
  ...(column !== undefined && { column }),
  ...(at !== undefined && { at: new LosslessNumber(at) }),
  ...(filters && { filters: filters.map((filter) => queryFilter(filter, columns)) }),
  as: alias,
});
