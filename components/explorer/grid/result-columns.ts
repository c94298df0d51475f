import type { ViewColumn } from "@/components/explorer/view/view";
import type { Column } from "@/lib/schemas/column";
import type { GridColumn } from "./grid-columns";

/** The result's columns with the table's metadata; profiles are drawn only above ungrouped rows. */
export function gridColumns(
  result: readonly ViewColumn[],
  columns: readonly Column[],
  isGrouped: boolean,
): GridColumn[] {
  return result.map(({ name, type }) => {
    const column = columns.find((entry) => entry.name === name && entry.type === type);
    return {
      name,
      type,
      unit: column?.unit,
      description: column?.description,
      isComputed: column === undefined,
      profiled: isGrouped ? undefined : column,
    };
  });
}
