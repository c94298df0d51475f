import { common, compareValues, type Family, type Typed, typed, type Value } from "./recipe-values";

export interface RecipeColumn {
  name: string;
  family: Family;
  scale: number;
}

/** A relation of the evaluator. Rejects are collected over all steps. */
export interface RecipeTable {
  columns: readonly RecipeColumn[];
  rows: readonly (readonly Value[])[];
  rejected: number;
}

/** A build that ends, with its code. */
export class RecipeEnd extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: steps as the recipe has them
export type RecipeStep = Record<string, any> & { step: string };

export const textColumn = (name: string): RecipeColumn => ({ name, family: "text", scale: 0 });

export function place(table: RecipeTable, name: string): number {
  const at = table.columns.findIndex((column) => column.name === name);
  if (at < 0) throw new Error(`No column ${name}`);
  return at;
}

export const cellAt = (table: RecipeTable, row: readonly Value[], at: number): Typed => {
  const { family, scale } = table.columns[at] as RecipeColumn;
  return typed(family, row[at] ?? null, scale);
};

/** Names of a set of columns. */
export function setOf(table: RecipeTable, set: string[] | { matches: string } | { except: string[] }): string[] {
  const names = table.columns.map(({ name }) => name);
  if (Array.isArray(set)) return set;
  return "matches" in set
    ? names.filter((name) => new RegExp(set.matches).test(name))
    : names.filter((name) => !set.except.includes(name));
}

/** Equal keys have the same text; nulls are equal to each other. */
export const keyText = (values: readonly Value[]): string =>
  values.map((value) => (value === null ? "null" : `${typeof value} ${String(value)}`)).join("\u0000");

/** Rows in groups by some columns, in the order of their first appearance. */
export function grouped(table: RecipeTable, names: readonly string[]): (readonly (readonly Value[])[])[] {
  const places = names.map((name) => place(table, name));
  const groups = new Map<string, (readonly Value[])[]>();
  for (const row of table.rows) {
    const key = keyText(places.map((at) => row[at] ?? null));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

export interface OrderBy {
  column: string;
  direction?: "asc" | "desc";
}

/** Nulls last in both directions; ties keep their order. */
export function ordered(table: RecipeTable, rows: readonly (readonly Value[])[], by: readonly OrderBy[]) {
  const keys = by.map(({ column, direction }) => ({ at: place(table, column), sign: direction === "desc" ? -1 : 1 }));
  return [...rows].sort((a, b) => {
    for (const { at, sign } of keys) {
      const [x, y] = [a[at] ?? null, b[at] ?? null];
      const order = x === null || y === null ? Number(x === null) - Number(y === null) : sign * compareValues(x, y);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Whether a cell and a value of a filter compare as the operator says; undefined for null. */
export function passes(cell: Typed, operator: string, given: Typed): boolean | undefined {
  if (operator === "is_null") return cell.value === null;
  const [a, b] = common([cell, given]) as [Typed, Typed];
  if (a.value === null || b.value === null) return undefined;
  const order = compareValues(a.value, b.value);
  const holds: Record<string, boolean> = {
    eq: order === 0,
    neq: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return holds[operator];
}
