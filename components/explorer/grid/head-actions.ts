import type { ViewFilter, ViewOrder } from "@/components/explorer/view/view";

/** What the heads of a grid show and do. */
export interface HeadActions {
  order: readonly ViewOrder[];
  /** The view's filters. */
  filters: readonly ViewFilter[];
  /** Of the whole table. */
  tableRows: number;
  /** The URL that a column's name links to. */
  sortUrl: (column: string) => string;
  /** `add` keeps the other columns of the order. */
  onSort: (column: string, add: boolean) => void;
  onFilter: (filters: readonly ViewFilter[]) => void;
  /** Opens a column's card next to `anchor`. */
  onCard: (column: string, anchor: HTMLElement) => void;
  hasCard: (column: string) => boolean;
  canSort: (column: string) => boolean;
}
