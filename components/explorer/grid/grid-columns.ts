import { type ColumnDef, columnResizingFeature, columnSizingFeature, tableFeatures } from "@tanstack/react-table";
import type { Column } from "@/lib/schemas/column";
import type { ViewColumn } from "@/lib/view/view";

/** A column of the result. */
export interface GridColumn extends ViewColumn {
  unit?: string | null | undefined;
  description?: string | null | undefined;
  /** Whether it was computed, with more digits than were measured. */
  isComputed?: boolean | undefined;
  /** The table's column, where its profile is drawn above the rows. */
  profiled?: Column | undefined;
}

export const GRID_FEATURES = tableFeatures({ columnSizingFeature, columnResizingFeature });

const WIDTH_MIN = 72;
const WIDTH_MAX = 1200;

/** A result that is about to be replaced may have duplicate names, so columns are identified by index. */
export const gridColumn = (column: GridColumn, at: number, size: number): ColumnDef<typeof GRID_FEATURES, never> => ({
  id: `${at}:${column.name}`,
  header: column.name,
  size,
  minSize: WIDTH_MIN,
  maxSize: WIDTH_MAX,
});
