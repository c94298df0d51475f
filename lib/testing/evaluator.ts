import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { type Aggregate, aggregate, resultType } from "./evaluate-aggregates";
import { compareNullsLast, indexOf } from "./evaluate-cells";
import { type Derived, withDerived } from "./evaluate-derived";
import { type Filter, meets, searched } from "./evaluate-filters";
import { entryOf, type GroupEntry, groupColumn, groupOf } from "./evaluate-groups";
import { type Lookup, withLookups } from "./evaluate-lookups";
import { isWithin, type Near, withDistances } from "./evaluate-near";

/**
 * A second implementation of the query grammar, in plain TypeScript over rows read by another Parquet reader. It shares
 * no code with the engine, so that the two agree only if both are right.
 */

/** Integers and decimals as whole coefficients, dates as days, times and timestamps as microseconds. */
export type Cell = bigint | number | string | boolean | null;

export interface Column {
  name: string;
  type: string;
}

export interface Table {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

export interface Query {
  columns: string[];
  filters?: Filter[];
  search?: { text: string; columns?: string[] };
  near?: Near;
  lookups?: Lookup[];
  having?: Filter[];
  order_by?: { column: string; direction?: string }[];
  offset?: number;
  top?: { by: string[]; count: number };
  group_by?: (string | GroupEntry)[];
  aggregates?: (Aggregate & { as: string })[];
  derive?: Derived[];
}

/** Reads a Parquet file whose columns are scalars. */
export async function readTable(path: string, columns: readonly Column[]): Promise<Table> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  for (const element of metadata.schema)
    if (element.converted_type === "DECIMAL")
      Object.assign(element, { converted_type: undefined, logical_type: undefined });
  const parsers = {
    timestampFromMicroseconds: (micros: bigint) => micros as unknown as Date,
    dateFromDays: (days: number) => BigInt(days) as unknown as Date,
  };
  const objects = await parquetReadObjects({ file, metadata, parsers, utf8: false });
  return { columns, rows: objects.map((object) => columns.map((column) => readCell(column, object[column.name]))) };
}

/**
 * The complete result of a query, all its pages, before encoding. `others` are the tables of its lookups, in their
 * order.
 */
export function evaluate(stored: Table, query: Query, others: readonly Table[] = []): Table {
  const { search, near, lookups = [] } = query;
  const found = withLookups(stored, lookups, others);
  const table = near ? withDistances(found, near) : found;
  const rows = table.rows.filter(
    (row) =>
      (query.filters ?? []).every((filter) => meets(table, row, filter)) &&
      (!search || searched(table, row, search)) &&
      (!near || isWithin(row, near)),
  );
  if (query.group_by?.length || query.aggregates?.length) return group(table, rows, query);
  const order = (query.order_by ?? []).map((entry) => ({
    at: indexOf(table, entry.column),
    sign: entry.direction === "desc" ? -1 : 1,
  }));
  const sorted = firstOfEach(sortRows(rows, order), query, (name) => indexOf(table, name)).slice(query.offset ?? 0);
  const projected = query.columns.map((name) => indexOf(table, name));
  return {
    columns: projected.map((at) => table.columns[at] as Column),
    rows: sorted.map((row) => projected.map((at) => row[at] ?? null)),
  };
}

/** The first rows of each combination, in their order. */
function firstOfEach<Row extends readonly Cell[]>(
  rows: readonly Row[],
  { top }: Query,
  at: (name: string) => number,
): Row[] {
  if (!top) return [...rows];
  const taken = new Map<string, number>();
  return rows.filter((row) => {
    const key = JSON.stringify(
      top.by.map((name) => row[at(name)] ?? null).map((cell) => (cell === 0 ? "0" : String(cell))),
    );
    taken.set(key, (taken.get(key) ?? 0) + 1);
    return (taken.get(key) ?? 0) <= Number(top.count);
  });
}

function readCell({ type }: Column, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (type.startsWith("decimal")) return value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint);
  if (/^u?int/.test(type))
    return type === "uint64" ? BigInt.asUintN(64, value as bigint) : BigInt(value as number | bigint);
  if (type === "string") return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  return value as Cell;
}

function signed(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
}

function sortRows<Row extends readonly Cell[]>(
  rows: readonly Row[],
  order: readonly { at: number; sign: number }[],
): Row[] {
  return [...rows].sort((x, y) => {
    for (const { at, sign } of order) {
      const difference = compareNullsLast(x[at] ?? null, y[at] ?? null, sign);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

function group(table: Table, rows: readonly (readonly Cell[])[], query: Query): Table {
  const entries = (query.group_by ?? []).map((entry) => {
    const at = indexOf(table, entryOf(entry).column);
    return { entry: entryOf(entry), at, column: table.columns[at] as Column };
  });
  const keysOf = (row: readonly Cell[]) =>
    entries.map(({ entry, at, column }) => groupOf(row[at] ?? null, entry, column.type));
  const groups = new Map<string, (readonly Cell[])[]>();
  if (entries.length === 0) groups.set("[]", []);
  for (const row of rows) {
    const key = JSON.stringify(keysOf(row).map((cell) => (cell === null ? null : `${typeof cell} ${cell}`)));
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  const aggregates = query.aggregates ?? [];
  const resultsOfGroups = [
    ...entries.map(({ entry, column }) => groupColumn(entry, column)),
    ...aggregates.map((entry) => ({ name: entry.as, type: resultType(table, entry) })),
  ];
  const names = entries.map(({ entry, column }) => groupColumn(entry, column).name);
  /** The groups that agree with one in the groups that are named. */
  const shareOf = (members: readonly (readonly Cell[])[], of: readonly string[]) => {
    const keyOf = (row: readonly Cell[]) => JSON.stringify(of.map((name) => String(keysOf(row)[names.indexOf(name)])));
    const own = members[0] && keyOf(members[0]);
    const all = rows.filter((row) => keyOf(row) === own).length;
    return all === 0 ? null : members.length / all;
  };
  const found = [...groups.values()].map((members) => [
    ...keysOf(members[0] ?? []),
    ...aggregates.map((entry) => (entry.of ? shareOf(members, entry.of) : aggregate(table, members, entry))),
  ]);
  const { columns, rows: result } = withDerived(
    { columns: resultsOfGroups, rows: found },
    query.derive ?? [],
    entries.map(({ entry, column }, at) => ({ name: names[at] ?? "", entry, type: column.type })),
  );
  const named = (query.order_by ?? []).map((entry) => ({
    at: columns.findIndex((column) => column.name === entry.column),
    sign: entry.direction === "desc" ? -1 : 1,
  }));
  const having = query.having ?? [];
  const kept = result.filter((row) => having.every((filter) => meets({ columns, rows: [] }, row, filter)));
  const sorted = sortRows(kept, [
    ...named,
    ...entries.map((_, at) => ({ at, sign: 1 })).filter(({ at }) => !named.some((key) => key.at === at)),
  ]);
  return { columns, rows: firstOfEach(sorted, query, (name) => names.indexOf(name)) };
}
