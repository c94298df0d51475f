import type { Column } from "@/lib/schemas/column";
import { distancesIn, isGroupedView, isLookedUp, type View, type ViewColumn } from "@/lib/view/view";
import type { GridColumn } from "./grid-columns";

/** Of what a run made before it is sealed, only nulls are counted. */
const isProfiled = (column: Column | undefined): boolean => Object.keys(column?.profile ?? {}).length > 1;

/**
 * The result's columns with the table's metadata; profiles are drawn only above ungrouped rows. Aggregates,
 * what is derived from them and distances are computed; groups are values or edges, which keep their digits.
 */
export function gridColumns(result: readonly ViewColumn[], columns: readonly Column[], view: View): GridColumn[] {
  const isGrouped = isGroupedView(view);
  const results = [...view.aggregates, ...(view.derive ?? [])].map(({ as }) => as);
  const computed = new Set([...results, ...distancesIn(view).map(({ name }) => name)]);
  return result.map(({ name, type }) => {
    const column = columns.find((entry) => entry.name === name && entry.type === type);
    return {
      name,
      type,
      unit: column?.unit,
      description: column?.description,
      isComputed: computed.has(name),
      profiled: isGrouped || isLookedUp(view, name) || !isProfiled(column) ? undefined : column,
    };
  });
}
