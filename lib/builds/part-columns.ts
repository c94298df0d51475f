import type { RecipeSource } from "@/lib/schemas/recipe-source";

/** A column that says for each row which piece of its source it came from. */
export interface PartColumn {
  name: string;
  of: "partition" | "member";
  /** `date`: the partition's first day. Cells are text, like those of the source. */
  type: "string" | "date" | "int32";
}

/** The columns that a source adds before its own, in order. */
export function partColumns(source: Pick<RecipeSource, "kind"> & Partial<RecipeSource>): PartColumn[] {
  const { template, slices, archive } = source as Partial<Extract<RecipeSource, { kind: "http" }>>;
  const partition = template?.column ?? slices?.column;
  const type = template?.column?.type ?? "string";
  return [
    ...(partition ? [{ name: partition.name, of: "partition" as const, type }] : []),
    ...(archive?.column ? [{ name: archive.column.name, of: "member" as const, type: "string" as const }] : []),
  ];
}

const QUARTER = /^(\d{4})-Q([1-4])$/;
const WEEK = /^(\d{4})-W(\d{2})$/;
const DAY = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
const DAY_MS = 86_400_000;

const asItIs = (partition: string): string => partition;

const CELLS: Readonly<Record<PartColumn["type"], (partition: string) => string>> = {
  string: asItIs,
  int32: asItIs,
  date: firstDay,
};

/** A partition's value in its column: `2026-Q3` as a date is 2026-07-01. Null if there is none. */
export const partitionCell = (partition: string | null, type: PartColumn["type"]): string | null =>
  partition === null ? null : CELLS[type](partition);

function firstDay(partition: string): string {
  const quarter = QUARTER.exec(partition);
  if (quarter) return `${quarter[1]}-${String(Number(quarter[2]) * 3 - 2).padStart(2, "0")}-01`;
  const week = WEEK.exec(partition);
  if (week) return mondayOf(Number(week[1]), Number(week[2]));
  return DAY.test(partition) ? `${partition}${"-01-01".slice(partition.length - 4)}` : partition;
}

/** The Monday of an ISO 8601 week. The first week contains the fourth of January. */
function mondayOf(year: number, week: number): string {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
  return new Date(monday + (week - 1) * 7 * DAY_MS).toISOString().slice(0, 10);
}
