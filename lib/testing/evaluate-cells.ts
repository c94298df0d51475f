import type { Cell, Table } from "./evaluator";

/** Cells compared and written: a part of the second implementation. */

/** Total order of two values of one type: NaN above all numbers, text by code points. */
export function compare(a: Cell, b: Cell): number {
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

export function compareNullsLast(a: Cell, b: Cell, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b) * sign;
}

/** A cell as the contract's JSON, with all digits of its numbers. */
export function jsonText(cell: Cell, type: string): string {
  if (cell === null) return "null";
  if (typeof cell === "boolean") return String(cell);
  if (type === "date") return JSON.stringify(new Date(Number(cell) * 86_400_000).toISOString().slice(0, 10));
  if (type === "time") return JSON.stringify(clock(cell as bigint));
  if (type === "timestamp") return JSON.stringify(instant(cell as bigint));
  if (typeof cell === "number") return floatText(cell, type === "float32");
  return typeof cell === "bigint" ? point(cell, scaleOf(type)) : JSON.stringify(cell);
}

export function scaleOf(type: string): number {
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

export function indexOf(table: Table, name: string): number {
  return table.columns.findIndex((column) => column.name === name);
}
