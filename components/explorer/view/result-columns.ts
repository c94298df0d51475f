import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { View, ViewColumn } from "./view";

/** The columns of a grouped view's result: groups, then aggregates. */
export function resultColumns(
  { group, aggregates }: Pick<View, "group" | "aggregates">,
  columns: readonly ViewColumn[],
): ViewColumn[] {
  const typeOf = (name: string | undefined) => columns.find((column) => column.name === name)?.type ?? "int64";
  return [
    ...group.map(({ column, bucket, alias }) => ({
      name: alias,
      type: bucket === undefined ? typeOf(column) : BUCKETS[bucket].result.name,
    })),
    ...aggregates.map(({ function: name, column, alias }) => ({
      name: alias,
      type: AGGREGATES[name].result(columnTypeOf({ type: typeOf(column) })).name,
    })),
  ];
}
