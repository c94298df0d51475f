import { COLUMNS_MAX, LOOKUP_ROWS_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { fail } from "@/lib/kernel/errors";
import { formatCount, formatList } from "@/lib/kernel/format";
import { checkAlias } from "./groups";
import type { PlannedLookup } from "./planned";
import { bounded, columnIndex, type Planning, planNames, reject } from "./planning";

type Entry = NonNullable<QueryBody["lookups"]>[number];

/** A version of a table that columns are looked up in. */
export interface LookupTable {
  tableId: string;
  rows: number;
  columns: readonly EngineColumn[];
  /** Columns that no two rows share; empty if none was declared. */
  primaryKey?: readonly string[];
}

/**
 * The lookups of a body in these tables, one each, and the planning of what may name their columns; faults are
 * collected in the same list.
 */
export function planLookups(
  planning: Planning,
  { lookups = [] }: QueryBody,
  tables: readonly LookupTable[],
): { result: Planning; planned: { lookups?: PlannedLookup[] } } {
  const planned = lookups.flatMap((entry, at) => {
    const table = tables[at];
    const pointer = `/lookups/${at}`;
    if (table) return [planLookup(planning, entry, pointer, table)];
    reject(planning, { pointer, code: "invalid_request", message: "Columns cannot be looked up here." });
    return [];
  });
  if (planned.length === 0) return { result: planning, planned: {} };
  for (const [at, { as }] of lookups.entries())
    if (lookups.findIndex((other) => other.as.toLowerCase() === as.toLowerCase()) < at)
      reject(planning, { pointer: `/lookups/${at}/as`, code: "alias_conflict", message: `Two lookups are ${as}.` });
  const columns = [...planning.columns, ...planned.flatMap((lookup) => lookup.columns.map(({ named }) => named))];
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  return { result: { ...planning, columns, indexes }, planned: { lookups: planned } };
}

function planLookup(planning: Planning, entry: Entry, pointer: string, table: LookupTable): PlannedLookup {
  if (table.rows > LOOKUP_ROWS_MAX) throw tooMany(table.rows);
  checkAlias(planning, entry.as, `${pointer}/as`);
  const version = entry.version_id ?? entry.as_of;
  return {
    as: entry.as,
    tableId: table.tableId,
    ...(version !== undefined && { version }),
    on: planKey(planning, entry, pointer, table),
    columns: planColumns(planning, entry, pointer, table),
  };
}

function planColumns(planning: Planning, entry: Entry, pointer: string, table: LookupTable): PlannedLookup["columns"] {
  const path = `${pointer}/columns`;
  const names = bounded(planning, path, entry.columns, COLUMNS_MAX, "too_many_values");
  const message = "Name at least one column of the other table.";
  if (names.length === 0) reject(planning, { pointer: path, code: "invalid_value", message });
  return planNames(planningOf(planning, table), names, path).flatMap((column) => {
    const { name, type, storage } = table.columns[column] ?? { name: "", type: "", storage: "" };
    const named = { name: `${entry.as}.${name}`, type, storage };
    const taken = planning.columns.find((own) => own.name.toLowerCase() === named.name.toLowerCase());
    const conflict = `The table has a column ${JSON.stringify(taken?.name)}. Choose another as.`;
    if (taken) reject(planning, { pointer: `${pointer}/as`, code: "alias_conflict", message: conflict });
    return [{ column, named }];
  });
}

const planningOf = ({ faults }: Planning, { columns }: LookupTable): Planning => ({
  columns,
  indexes: new Map(columns.map(({ name }, index) => [name, index])),
  faults,
});

/** The columns of the key, each with the column of this table. */
function planKey(planning: Planning, { on }: Entry, pointer: string, table: LookupTable): PlannedLookup["on"] {
  const { primaryKey = [], columns } = table;
  const named = Object.keys(on);
  if (
    primaryKey.length === 0 ||
    named.length !== primaryKey.length ||
    !primaryKey.every((name) => named.includes(name))
  ) {
    const key = formatList(
      primaryKey.map((name) => JSON.stringify(name)),
      "and",
    );
    const message =
      primaryKey.length === 0
        ? "The other table has no primary key to find its rows by."
        : `Name all columns of the primary key, and no others: ${key}.`;
    const allowed = primaryKey.length > 0 && { allowed: primaryKey };
    reject(planning, { pointer: `${pointer}/on`, code: "invalid_request", message, ...allowed });
    return [];
  }
  return primaryKey.flatMap((name) => {
    const path = `${pointer}/on${pointerTo(name)}`;
    const key = columns.findIndex((column) => column.name === name);
    const own = columnIndex(planning, on[name] ?? "", path);
    if (own === undefined) return [];
    checkTypes(planning, planning.columns[own], columns[key], path);
    return [[key, own] as const];
  });
}

type Typed = Pick<EngineColumn, "type">;

/** Whether a column can have the values of another table's key: both of one type, or integers, and not floats. */
export function hasKeyValues(own: Typed, key: Typed): boolean {
  const isFloat = columnTypeOf(key).number?.isFloat === true;
  return !isFloat && (own.type === key.type || (isInteger(own) && isInteger(key)));
}

const isInteger = (column: Typed): boolean => columnTypeOf(column).columnar.kind === "integer";

function checkTypes(planning: Planning, own: EngineColumn | undefined, key: EngineColumn | undefined, pointer: string) {
  if (!own || !key || hasKeyValues(own, key)) return;
  const [mine, other] = [own, key].map(({ name, type }) => `${JSON.stringify(name)} (${type})`);
  const message = `${mine} has no values of the key ${other}. Both must be of one type, or integers, and not floats.`;
  reject(planning, { pointer, code: "operator_not_applicable", message });
}

const tooMany = (rows: number) =>
  fail("result_too_large", {
    message:
      `Too many rows to look up columns in: ${formatCount(rows)} (maximum ${formatCount(LOOKUP_ROWS_MAX)}). ` +
      "Read that table by itself.",
  });
