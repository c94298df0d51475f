import type { LosslessNumber } from "lossless-json";
import { compare, indexOf, scaleOf } from "./evaluate-cells";
import { type Filter, meets } from "./evaluate-filters";
import type { Cell, Table } from "./evaluator";

/** Aggregates: a part of the second implementation. */

export interface Aggregate {
  function: string;
  column?: string;
  filters?: Filter[];
  with?: string;
  of?: string[];
  at?: LosslessNumber | number;
}

export function resultType(table: Table, entry: { function: string; column?: string }): string {
  const type = table.columns.find((column) => column.name === entry.column)?.type ?? "";
  if (entry.function.startsWith("count")) return "int64";
  if (entry.function === "min" || entry.function === "max") return type;
  return entry.function === "sum" && !type.startsWith("float") ? `decimal(38,${scaleOf(type)})` : "float64";
}

export function aggregate(table: Table, rows: readonly (readonly Cell[])[], entry: Aggregate): Cell {
  const met = rows.filter((row) => (entry.filters ?? []).every((filter) => meets(table, row, filter)));
  if (entry.function === "share") return rows.length === 0 ? null : met.length / rows.length;
  return aggregateAll(table, met, entry);
}

/** Correlation and slope, from differences to the means; null where they are undefined. */
function ofPairs(table: Table, rows: readonly (readonly Cell[])[], entry: Aggregate): Cell {
  const valuesOf = (name: string) => {
    const at = indexOf(table, name);
    const scale = scaleOf(table.columns[at]?.type ?? "");
    return (row: readonly Cell[]) => (row[at] == null ? undefined : Number(row[at]) / 10 ** scale);
  };
  const [first, second] = [valuesOf(entry.column ?? ""), valuesOf(entry.with ?? "")];
  const pairs = rows.flatMap((row) => {
    const [y, x] = [first(row), second(row)];
    return y === undefined || x === undefined ? [] : [{ y, x }];
  });
  const isConstant = (values: readonly number[]) => values.every((value) => value === values[0]);
  if (pairs.length < 2 || isConstant(pairs.map(({ x }) => x))) return null;
  if (entry.function === "corr" && isConstant(pairs.map(({ y }) => y))) return null;
  const mean = (of: (pair: { y: number; x: number }) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [y0, x0] = [mean(({ y }) => y), mean(({ x }) => x)];
  const both = mean(({ y, x }) => (y - y0) * (x - x0));
  const ofX = mean(({ x }) => (x - x0) ** 2);
  return entry.function === "slope" ? both / ofX : both / Math.sqrt(ofX * mean(({ y }) => (y - y0) ** 2));
}

function aggregateAll(table: Table, rows: readonly (readonly Cell[])[], entry: Aggregate): Cell {
  if (entry.function === "count") return BigInt(rows.length);
  if (entry.with !== undefined) return ofPairs(table, rows, entry);
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
    Number(entry.at ?? 0.5),
  );
}

function statistic(name: string, values: readonly number[], at: number): Cell {
  const sum = values.reduce((a, b) => a + b, 0);
  if (name === "sum") return sum;
  const mean = sum / values.length;
  if (name === "avg") return mean;
  if (name === "median" || name === "quantile") return quantile([...values].sort(compare), at);
  if (values.length < 2) return null;
  const variance = varianceOf(values);
  return name === "stddev" ? Math.sqrt(variance) : variance;
}

/** Computed from differences to one of the values, so that identical values have exactly zero variance. */
function varianceOf(values: readonly number[]): number {
  const apart = values.map((value) => value - (values[0] ?? 0));
  const mean = apart.reduce((a, b) => a + b, 0) / apart.length;
  return apart.reduce((total, value) => total + (value - mean) ** 2, 0) / (apart.length - 1);
}

/** Interpolates linearly between the two nearest values. */
function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? 0;
  return low === high ? low : low + (high - low) * (place - Math.floor(place));
}
