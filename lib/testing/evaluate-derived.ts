import type { LosslessNumber } from "lossless-json";
import { compare, scaleOf } from "./evaluate-cells";
import { floatEdge, type GroupEntry } from "./evaluate-groups";
import type { Cell, Column, Table } from "./evaluator";

/** What is derived from the results of other groups, by looking for each group: a part of the second implementation. */

export interface Derived {
  as: string;
  function: string;
  of: string;
  over?: string;
  size?: LosslessNumber | number;
  by?: string[];
  direction?: string;
}

/** A group of the query: its entry, and the type of the column that it is of. */
interface Group {
  name: string;
  entry: GroupEntry;
  type: string;
}

type Row = readonly Cell[];

/** The groups with one more column for each entry. */
export function withDerived(table: Table, entries: readonly Derived[], groups: readonly Group[]): Table {
  let current = table;
  for (const entry of entries) {
    const before = current;
    const of = before.columns.find(({ name }) => name === entry.of) as Column;
    current = {
      columns: [...before.columns, { name: entry.as, type: typeOf(entry.function, of.type) }],
      rows: before.rows.map((row) => [...row, derived(before, row, entry, groups)]),
    };
  }
  return current;
}

const isExact = (type: string): boolean => !type.startsWith("float");

function typeOf(name: string, type: string): string {
  if (name === "rank") return "int64";
  if (name === "previous") return type;
  return (name === "change" || name === "running_total") && isExact(type) ? `decimal(38,${scaleOf(type)})` : "float64";
}

function derived(table: Table, row: Row, entry: Derived, groups: readonly Group[]): Cell {
  const at = (name: string) => table.columns.findIndex((column) => column.name === name);
  const resultOf = (one: Row | undefined) => one?.[at(entry.of)] ?? null;
  const agrees = (name: string, other: Row) => isSame(other[at(name)], row[at(name)]);
  if (entry.function === "rank") {
    const within = table.rows.filter((other) => (entry.by ?? []).every((name) => agrees(name, other)));
    return rankOf(resultOf(row), within.map(resultOf), entry.direction === "asc" ? -1 : 1);
  }
  const group = groups.find(({ name }) => name === entry.over) as Group;
  const placeOf = (one: Row) => one[at(group.name)] ?? null;
  const series = table.rows
    .filter((other) => groups.every(({ name }) => name === group.name || agrees(name, other)))
    .filter((other) => isPlaced(placeOf(other)))
    .sort((a, b) => compare(placeOf(a), placeOf(b)));
  const type = table.columns[at(entry.of)]?.type ?? "";
  const place = placeOf(row);
  if (entry.function === "running_total") {
    const upTo = isPlaced(place) ? series.filter((other) => compare(placeOf(other), place) <= 0) : [row];
    return totalOf(upTo.map(resultOf), type);
  }
  const count = Number(entry.size ?? 2);
  const places = isPlaced(place) ? lastPlaces(series.map(placeOf), place, count, group) : [];
  const results = places.map((wanted) => resultOf(series.find((other) => isSame(placeOf(other), wanted))));
  const number = (cell: Cell) => Number(cell) / 10 ** scaleOf(type);
  if (entry.function === "moving_average") return places.length < count ? null : meanOf(results, number);
  return fromPrevious(entry.function, resultOf(row), results[1] ?? null, number);
}

function fromPrevious(name: string, value: Cell, previous: Cell, number: (cell: Cell) => number): Cell {
  if (name === "previous") return previous;
  const change = changeOf(value, previous);
  if (name === "change" || change === null) return change;
  return Number(previous) === 0 ? null : number(change) / number(previous);
}

function totalOf(results: readonly Cell[], type: string): Cell {
  const present = results.filter((cell) => cell !== null);
  if (present.length === 0) return null;
  return isExact(type)
    ? (present as bigint[]).reduce((a, b) => a + b, 0n)
    : (present as number[]).reduce((a, b) => a + b, 0);
}

function meanOf(results: readonly Cell[], number: (cell: Cell) => number): Cell {
  const present = results.filter((cell) => cell !== null).map(number);
  return present.length === 0 ? null : present.reduce((a, b) => a + b, 0) / present.length;
}

/** Zeros of both signs are one group. */
const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a === b || (Number.isNaN(a) && Number.isNaN(b)) || (a ?? null) === (b ?? null);

const isPlaced = (cell: Cell): boolean => cell !== null && (typeof cell !== "number" || Number.isFinite(cell));

/** A place and those before it, nearest first, without those before the first group. */
function lastPlaces(places: readonly Cell[], place: Cell, count: number, group: Group): Cell[] {
  const first = places[0] ?? null;
  const found = [place];
  for (let now = place; found.length < count; ) {
    const before = placeBefore(places, now, group);
    if (before === null || compare(before, first) < 0) break;
    found.push(before);
    now = before;
  }
  return found;
}

function placeBefore(places: readonly Cell[], place: Cell, { entry, type }: Group): Cell {
  if (entry.width !== undefined) return edgeBefore(place as number | bigint, String(entry.width), type);
  const { bucket } = entry;
  if (bucket === undefined || bucket === "element")
    return places.filter((one) => compare(one, place) < 0).at(-1) ?? null;
  const value = place as bigint;
  const steps: Readonly<Record<string, bigint>> = { hour: 3_600_000_000n, minute: 60_000_000n, week: 7n };
  const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
  const span = months[bucket];
  if (span === undefined) return value - (steps[bucket] ?? 1n);
  const date = new Date(Number(value) * 86_400_000);
  return BigInt(date.setUTCMonth(date.getUTCMonth() - span)) / 86_400_000n;
}

function edgeBefore(edge: number | bigint, width: string, type: string): Cell {
  if (typeof edge === "number") {
    const isSingle = type === "float32";
    return floatEdge(floatBelow(edge, isSingle), width, isSingle ? Math.fround : Number);
  }
  const [whole = "", fraction = ""] = width.split(".");
  return edge - BigInt(whole + fraction.padEnd(scaleOf(type), "0"));
}

/** The greatest float that is less. */
function floatBelow(value: number, isSingle: boolean): number {
  const bytes = new DataView(new ArrayBuffer(8));
  if (value === 0) return isSingle ? -(2 ** -149) : -Number.MIN_VALUE;
  const by = value > 0 ? -1 : 1;
  if (isSingle) {
    bytes.setFloat32(0, value);
    bytes.setInt32(0, bytes.getInt32(0) + by);
    return bytes.getFloat32(0);
  }
  bytes.setFloat64(0, value);
  bytes.setBigInt64(0, bytes.getBigInt64(0) + BigInt(by));
  return bytes.getFloat64(0);
}

function changeOf(value: Cell, previous: Cell): Cell {
  if (value === null || previous === null) return null;
  return typeof value === "bigint" ? value - (previous as bigint) : (value as number) - (previous as number);
}

function rankOf(value: Cell, all: readonly Cell[], sign: number): Cell {
  if (value === null) return null;
  return BigInt(1 + all.filter((other) => other !== null && compare(other, value) * sign > 0).length);
}
