import type { ViewFilter, ViewOrder } from "@/lib/view/view";
import type { RowProfile } from "./use-row-profile";

/** What the heads of a grid show and do. */
export interface HeadActions {
  order: readonly ViewOrder[];
  /** The view's filters. */
  filters: readonly ViewFilter[];
  /** Whether the view leaves rows out, which profiles of the whole table then say. */
  isNarrowed: boolean;
  /** Of the whole table. */
  tableRows: number;
  /** Over the rows of the view, where it leaves rows out. */
  matched: RowProfile | undefined;
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
