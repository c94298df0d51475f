import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { isLosslessNumber } from "lossless-json";

/**
 * A second implementation of the query grammar, in plain TypeScript over rows that another Parquet reader read.
 * Shares no code with the engine, so that the two can only agree by both being right.
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
  filters?: { column: string; operator: string; value?: unknown }[];
  order_by?: { column: string; direction?: string }[];
  offset?: number;
  group_by?: string[];
  aggregates?: { function: string; column?: string; as: string }[];
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

/** The whole result of a query, every page of it, before encoding. */
export function evaluate(table: Table, query: Query): Table {
  const rows = table.rows.filter((row) => (query.filters ?? []).every((filter) => meets(table, row, filter)));
  if (query.group_by?.length || query.aggregates?.length) return group(table, rows, query);
  const order = (query.order_by ?? []).map((entry) => ({
    at: indexOf(table, entry.column),
    sign: entry.direction === "desc" ? -1 : 1,
  }));
  const sorted = sortRows(rows, order).slice(query.offset ?? 0);
  const projected = query.columns.map((name) => indexOf(table, name));
  return {
    columns: projected.map((at) => table.columns[at] as Column),
    rows: sorted.map((row) => projected.map((at) => row[at] ?? null)),
  };
}

/** A cell as the contract's JSON, its numbers with all their digits. */
export function jsonText(cell: Cell, type: string): string {
  if (cell === null) return "null";
  if (typeof cell === "boolean") return String(cell);
  if (type === "date") return JSON.stringify(new Date(Number(cell) * 86_400_000).toISOString().slice(0, 10));
  if (type === "time") return JSON.stringify(clock(cell as bigint));
  if (type === "timestamp") return JSON.stringify(instant(cell as bigint));
  if (typeof cell === "number") return floatText(cell, type === "float32");
  return typeof cell === "bigint" ? point(cell, scaleOf(type)) : JSON.stringify(cell);
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

function indexOf(table: Table, name: string): number {
  return table.columns.findIndex((column) => column.name === name);
}

function scaleOf(type: string): number {
  return Number(/^decimal\(\d+,(\d+)\)$/.exec(type)?.[1] ?? 0);
}

function point(coefficient: bigint, scale: number): string {
  if (scale === 0) return String(coefficient);
  const unit = 10n ** BigInt(scale);
  const size = coefficient < 0n ? -coefficient : coefficient;
  return `${coefficient < 0n ? "-" : ""}${size / unit}.${String(size % unit).padStart(scale, "0")}`;
}

function floatText(cell: number, isSingle: boolean): string {
  if (!Number.isFinite(cell)) return JSON.stringify(String(cell));
  if (Object.is(cell, -0)) return "-0";
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((count) => Math.fround(Number(cell.toPrecision(count))) === cell);
  return String(isSingle ? Number(cell.toPrecision(digits)) : cell);
}

function clock(micros: bigint): string {
  const seconds = micros / 1_000_000n;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => String(part).padStart(2, "0"));
  const rest = micros % 1_000_000n;
  return parts.join(":") + (rest === 0n ? "" : `.${String(rest).padStart(6, "0")}`);
}

function instant(micros: bigint): string {
  const day = 86_400_000_000n;
  const inDay = ((micros % day) + day) % day;
  return `${new Date(Number((micros - inDay) / 1000n)).toISOString().slice(0, 10)}T${clock(inDay)}Z`;
}

/** Total order of two values of one type: NaN above all numbers, text by code points. */
function compare(a: Cell, b: Cell): number {
  if (typeof a === "number" && typeof b === "number" && (Number.isNaN(a) || Number.isNaN(b)))
    return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  if (typeof a === "string" && typeof b === "string") return comparePoints([...a], [...b]);
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

function comparePoints(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
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

function compareNullsLast(a: Cell, b: Cell, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b) * sign;
}

function meets(
  table: Table,
  row: readonly Cell[],
  filter: { column: string; operator: string; value?: unknown },
): boolean {
  const at = indexOf(table, filter.column);
  const cell = row[at] ?? null;
  if (filter.operator === "is_null") return cell === null;
  if (cell === null) return false;
  const type = table.columns[at]?.type ?? "";
  const against = (value: unknown) => compareWith(cell, type, value);
  switch (filter.operator) {
    case "is_not_null":
      return true;
    case "in":
      return (filter.value as unknown[]).some((value) => against(value) === 0);
    case "between":
      return against((filter.value as unknown[])[0]) >= 0 && against((filter.value as unknown[])[1]) <= 0;
    case "contains":
      return String(cell).includes(String(filter.value));
    case "starts_with":
      return String(cell).startsWith(String(filter.value));
    case "ends_with":
      return String(cell).endsWith(String(filter.value));
    default:
      return holds(filter.operator, against(filter.value));
  }
}

function holds(operator: string, order: number): boolean {
  const truths: Record<string, boolean> = {
    eq: order === 0,
    neq: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return truths[operator] ?? false;
}

/** Compares a cell with a filter's value as it stands in the body. */
function compareWith(cell: Cell, type: string, value: unknown): number {
  if (isLosslessNumber(value)) {
    if (type === "float64") return compare(cell, Number(value.value));
    if (type === "float32") return compare(cell, Math.fround(Number(value.value)));
    return compareDigits(cell as bigint, scaleOf(type), value.value);
  }
  if (type === "date") return compare(cell, BigInt(Date.parse(`${value}T00:00:00Z`) / 86_400_000));
  if (type === "timestamp") return compare(cell, microsOf(String(value)));
  return compare(cell, type === "uuid" ? String(value).toLowerCase() : (value as Cell));
}

/** coefficient / 10^scale against decimal digits, both brought to one denominator. */
function compareDigits(coefficient: bigint, scale: number, digits: string): number {
  const [mantissa = "", power = "0"] = digits.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const shift = Number(power) - fraction.length + scale;
  const other = BigInt(whole + fraction);
  return shift >= 0
    ? compare(coefficient, other * 10n ** BigInt(shift))
    : compare(coefficient * 10n ** BigInt(-shift), other);
}

function microsOf(text: string): bigint {
  const [seconds = "", fraction = ""] = text.slice(0, -1).split(".");
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}

function group(table: Table, rows: readonly (readonly Cell[])[], query: Query): Table {
  const keys = (query.group_by ?? []).map((name) => indexOf(table, name));
  const groups = new Map<string, (readonly Cell[])[]>();
  if (keys.length === 0) groups.set("[]", []);
  for (const row of rows) {
    const key = JSON.stringify(keys.map((at) => (row[at] === null ? null : `${typeof row[at]} ${row[at]}`)));
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  const aggregates = query.aggregates ?? [];
  const columns = [
    ...keys.map((at) => table.columns[at] as Column),
    ...aggregates.map((entry) => ({ name: entry.as, type: resultType(table, entry) })),
  ];
  const result = [...groups.values()].map((members) => [
    ...keys.map((at) => members[0]?.[at] ?? null),
    ...aggregates.map((entry) => aggregate(table, members, entry)),
  ]);
  const named = (query.order_by ?? []).map((entry) => ({
    at: columns.findIndex((column) => column.name === entry.column),
    sign: entry.direction === "desc" ? -1 : 1,
  }));
  return {
    columns,
    rows: sortRows(result, [
      ...named,
      ...keys.map((_, at) => ({ at, sign: 1 })).filter(({ at }) => !named.some((key) => key.at === at)),
    ]),
  };
}

function resultType(table: Table, entry: { function: string; column?: string }): string {
  const type = table.columns.find((column) => column.name === entry.column)?.type ?? "";
  if (entry.function.startsWith("count")) return "int64";
  if (entry.function === "min" || entry.function === "max") return type;
  return entry.function === "sum" && !type.startsWith("float") ? `decimal(38,${scaleOf(type)})` : "float64";
}

function aggregate(
  table: Table,
  rows: readonly (readonly Cell[])[],
  entry: { function: string; column?: string },
): Cell {
  if (entry.function === "count") return BigInt(rows.length);
  const at = indexOf(table, entry.column ?? "");
  const type = table.columns[at]?.type ?? "";
  const cells = rows.map((row) => row[at] ?? null).filter((cell) => cell !== null);
  if (entry.function === "count_distinct")
    return BigInt(new Set(cells.map((cell) => (cell === 0 ? "0" : String(cell)))).size);
  if (cells.length === 0) return null;
  if (entry.function === "min") return cells.reduce((a, b) => (compare(b, a) < 0 ? b : a));
  if (entry.function === "max") return cells.reduce((a, b) => (compare(b, a) > 0 ? b : a));
  if (entry.function === "sum" && !type.startsWith("float")) return (cells as bigint[]).reduce((a, b) => a + b, 0n);
  return statistic(
    entry.function,
    cells.map((cell) => Number(cell) / 10 ** scaleOf(type)),
  );
}

function statistic(name: string, values: readonly number[]): Cell {
  const sum = values.reduce((a, b) => a + b, 0);
  if (name === "sum") return sum;
  const mean = sum / values.length;
  if (name === "avg") return mean;
  if (name === "median") return median([...values].sort(compare));
  if (values.length < 2) return null;
  const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1);
  return name === "stddev" ? Math.sqrt(variance) : variance;
}

function median(sorted: readonly number[]): number {
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0;
  return low === high ? low : low + (high - low) / 2;
}
