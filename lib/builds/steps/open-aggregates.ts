import type { Relation } from "@/lib/builds/relation";
import type { Fault } from "@/lib/kernel/errors";

/** Faults that depend on a column's type. All others are checked without it. */
const OF_TYPES: ReadonlySet<Fault["code"]> = new Set([
  "column_not_groupable",
  "function_not_applicable",
  "operator_not_applicable",
  "invalid_value",
]);

interface Entries {
  group_by: readonly (string | { column: string; bucket?: string | undefined })[];
  aggregates: readonly { column?: string | undefined; filters?: readonly unknown[] | undefined }[];
}

/** The query's faults that hold whatever the still unknown columns turn out to be. */
export function faultsThatHold(faults: readonly Fault[], step: Entries, input: Relation): Fault[] {
  const typed = new Set(input.columns.flatMap(({ name, type }) => (type ? [name] : [])));
  return faults.filter(({ code, pointer }) => {
    if (code === "unknown_column") return !input.isOpen;
    return (
      !OF_TYPES.has(code) ||
      (/\/(?:bucket|at)$/.test(pointer) && code === "invalid_value") ||
      columnsAt(step, pointer).every((name) => typed.has(name))
    );
  });
}

/** The columns of the group or aggregate that a pointer is in. */
function columnsAt({ group_by: groups, aggregates }: Entries, pointer: string): string[] {
  const [, list, index] = pointer.split("/");
  if (list === "group_by") {
    const group = groups[Number(index)];
    return group === undefined ? [] : [typeof group === "string" ? group : group.column];
  }
  const { column, filters = [] } = aggregates[Number(index)] ?? {};
  const filtered = filters.flatMap((filter) => (filter as { column?: string } | null)?.column ?? []);
  return [...(column === undefined ? [] : [column]), ...filtered];
}
