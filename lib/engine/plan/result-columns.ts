import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { INT64 } from "@/lib/engine/types/integers";
import type { GroupsPlan, Plan, PlannedAggregate, PlannedDerived, PlannedGroup, PlannedNear } from "./planned";

/**
 * A column of a result. With `overlapping`, a row may be in several of its groups. `bucketZone` is the time zone of its
 * groups.
 */
export interface ResultColumn extends EngineColumn {
  overlapping?: true;
  bucketZone?: string;
}

/** The columns that a plan's indexes are of: the table's, then those of its lookups, then the distance. */
export const plannedColumns = (
  { near, lookups = [] }: Pick<Plan, "near" | "lookups">,
  columns: readonly EngineColumn[],
): EngineColumn[] => [
  ...columns,
  ...lookups.flatMap((lookup) => lookup.columns.map(({ named }) => named)),
  ...(near ? [distanceColumn(near)] : []),
];

/** The column of a distance. */
export const distanceColumn = ({ as }: Pick<PlannedNear, "as">): EngineColumn => ({
  name: as,
  type: "float64",
  storage: "DOUBLE",
});

/** A result's columns, as the reply lists them. */
export function resultColumns(plan: Plan, table: readonly EngineColumn[]): ResultColumn[] {
  const columns = plannedColumns(plan, table);
  if (plan.kind === "rows") return plan.columns.map((column) => columnAt(columns, column));
  return plan.kind === "cell" ? [columnAt(columns, plan.column)] : groupedColumns(plan, columns);
}

/** The columns of a grouped result: groups, then aggregates, then what is derived from them in turn. */
export function groupedColumns(
  { groups, aggregates, derived = [] }: Pick<GroupsPlan, "groups" | "aggregates" | "derived">,
  columns: readonly EngineColumn[],
): ResultColumn[] {
  const computed: ResultColumn[] = [
    ...groups.map((group) => groupColumn(group, columns)),
    ...aggregates.map((aggregate) => aggregateColumn(aggregate, columns)),
  ];
  for (const entry of derived) computed.push(derivedColumn(entry, columnAt(computed, entry.of)));
  return computed;
}

/** The type that an aggregate computes over; that of a count where there is no column. */
export function argumentType(
  { column }: Pick<PlannedAggregate, "column">,
  columns: readonly EngineColumn[],
): ColumnType {
  return column === undefined ? INT64 : columnTypeOf(columnAt(columns, column));
}

export function columnAt(columns: readonly EngineColumn[], index: number): EngineColumn {
  const column = columns[index];
  if (!column) throw new Error(`No column ${index}`);
  return column;
}

function groupColumn({ column, as, bucket, zone }: PlannedGroup, columns: readonly EngineColumn[]): ResultColumn {
  const { type, storage } = columnAt(columns, column);
  if (bucket === undefined) return { name: as, type, storage };
  const { result, storage: stored, isOfItems } = BUCKETS[bucket];
  return {
    name: as,
    type: result(columnTypeOf({ type })).name,
    storage: stored(storage),
    ...(isOfItems && { overlapping: true }),
    ...(zone !== undefined && { bucketZone: zone }),
  };
}

/** The column of an aggregate's results. */
export function aggregateColumn(aggregate: PlannedAggregate, columns: readonly EngineColumn[]): EngineColumn {
  const type = AGGREGATES[aggregate.function].result(argumentType(aggregate, columns));
  return { name: aggregate.as, type: type.name, storage: type.duckdb ?? "VARCHAR" };
}

/** The column of a derived result; `of` is the one that it is derived from. */
export function derivedColumn({ function: name, as }: PlannedDerived, of: EngineColumn): EngineColumn {
  const from = columnTypeOf(of);
  const type = DERIVATIONS[name].result(from);
  return { name: as, type: type.name, storage: type === from ? of.storage : (type.duckdb ?? "VARCHAR") };
}
