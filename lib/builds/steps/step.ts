import type { z } from "zod";
import type { MonthNames } from "@/lib/builds/lock";
import type { BuildFailureCode } from "@/lib/builds/plan";
import type { Relation, RelationColumn } from "@/lib/builds/relation";
import { ALLOWED_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import type { Fault } from "@/lib/kernel/errors";

/** What a step can look up in addition to its input, and where it adds faults. */
export interface Scope {
  /** JSON Pointer of the step. */
  pointer: string;
  /** The step's index in its table, from 0. */
  step: number;
  faults: Fault[];
  warnings: { pointer: string; message: string }[];
  /** The source or earlier table that the table is made from. */
  from: string;
  /** Sources and earlier tables, by name. Undefined for an invalid one. */
  relations: ReadonlyMap<string, Relation | undefined>;
  /** Every pattern of the recipe. DuckDB compiles them when the recipe is registered. */
  patterns: { pointer: string; pattern: string }[];
  monthsOf(locale: string): MonthNames;
  /** The column sets by pointer, as resolved. */
  sets: Map<string, string[]>;
  /** Number of expression nodes that the table may still have. */
  nodes: { left: number };
}

/** A rule for cells that do not fit. `test` is SQL, true for a bad cell; `text` shows the cell. */
export interface RejectRule {
  column: string;
  onError: "fail" | "null" | "drop_row";
  test: string;
  text: string;
  reason: string;
}

/** Proves a property of the data: every row that `sql` returns is a violation, reported with the row's cells. */
export interface Guard {
  code: BuildFailureCode;
  /** `from` is the step's input as SQL. */
  sql(from: string, refs: Refs): string;
  message(cells: readonly (string | null)[]): string;
}

/** The stored relations that a step reads in addition to its input. */
export interface Refs {
  /** As SQL: `c0 …`, `p` and `o`. */
  rows(name: string): string;
}

export interface ComputedCells {
  values: string[];
  layers: readonly (readonly string[])[];
  rejects: RejectRule[];
}

/** Maximum number of columns that a statement computes: DuckDB holds a vector for each part of each expression. */
export const COMPUTED_MAX = 400;

export type PlannedSql =
  /**
   * One row remains one row: an expression for each output column over `c0 …` and over `layers`, which are computed
   * first. `before` does a part of the step each, so that no statement computes too many columns.
   */
  | { form: "cells"; cells(): ComputedCells; before?: readonly (() => ComputedCells)[] }
  /** Some rows are kept, in their order. */
  | { form: "rows"; where(): { test: string; layers: readonly (readonly string[])[] } }
  /** A SELECT of `c0 … cn, o` in its final order; `from` has `c0 …, p, o`. */
  | {
      form: "query";
      sql(from: string, refs: Refs): string;
      guards?: readonly Guard[];
      count?: LeftOutRows;
    };

/**
 * How to count what a step leaves out (`dropped`), or keeps without a match (`unmatched`): a SELECT of one number, or
 * how many rows each row would become if nothing were left out.
 */
export interface LeftOutRows {
  what: "dropped" | "unmatched";
  by: { each: number } | { sql(from: string, refs: Refs): string };
}

export interface Planned {
  relation: Relation;
  sql: PlannedSql;
}

/** THE row of a step: its keys, its description, and how it transforms a relation. */
export interface StepKind<S> {
  name: string;
  schema: z.ZodType<S>;
  /** Begins in lower case and ends without a full stop: `keeps the columns a and b`. */
  english(step: S): string;
  /** Undefined if a fault was added to the scope. */
  plan(step: S, input: Relation, scope: Scope): Planned | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each row takes its own step, which its schema read
export type AnyStepKind = StepKind<any>;

export function reject(scope: Scope, at: string, fault: Omit<Fault, "pointer">): undefined {
  scope.faults.push({ pointer: scope.pointer + at, ...fault });
  return undefined;
}

export interface Found {
  index: number;
  column: RelationColumn;
}

/** A column of the input. In an open relation, an unknown name is accepted as a column of unknown type. */
export function findColumn(scope: Scope, input: Relation, name: string, at: string): Found | undefined {
  const index = input.columns.findIndex((column) => column.name === name);
  const column = input.columns[index];
  if (column) return { index, column };
  if (input.isOpen) return { index: -1, column: unknownColumn(name) };
  const names = input.columns.map((each) => each.name);
  const meant = scope.faults.length < MEANT_MAX ? didYouMean(name, names) : undefined;
  return reject(scope, at, {
    code: "unknown_column",
    message: `Unknown column ${JSON.stringify(name.slice(0, 100))}.`,
    ...(names.length <= ALLOWED_MAX && { allowed: names }),
    ...(meant !== undefined && { didYouMean: meant }),
  });
}

const unknownColumn = (name: string): RelationColumn => ({
  name,
  type: undefined,
  storage: "",
  from: [],
  steps: [],
  kind: "copied",
});

/** Columns by name, each once. Undefined if one is invalid. */
export function findColumns(scope: Scope, input: Relation, names: readonly string[], at: string): Found[] | undefined {
  const found = names.map((name, index) => {
    if (names.indexOf(name) !== index)
      return reject(scope, `${at}/${index}`, {
        code: "duplicate_column",
        message: `Duplicate column ${JSON.stringify(name)}.`,
      });
    return findColumn(scope, input, name, `${at}/${index}`);
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}

/** Whether names are unique ignoring case; a clash is a fault at `at(index)`. */
export function checkUnique(scope: Scope, names: readonly string[], at: (index: number) => string): boolean {
  const seen = new Set<string>();
  const clashes = names.flatMap((name, index) => {
    const key = name.toLowerCase();
    const isTaken = seen.has(key);
    seen.add(key);
    return isTaken ? [{ name, index }] : [];
  });
  for (const { name, index } of clashes)
    reject(scope, at(index), {
      code: "alias_conflict",
      message: `${JSON.stringify(name)} is already the name of another column (ignoring case).`,
    });
  return clashes.length === 0;
}

/** Every column as it is: the expressions of a projection. */
export const sameCells = (input: Relation): string[] => input.columns.map((_, index) => `c${index}`);

export const cellList = (input: Relation): string => sameCells(input).join(", ");

/** A projection that needs no values computed beforehand. */
export const projection = (relation: Relation, values: () => string[]): Planned => ({
  relation,
  sql: { form: "cells", cells: () => ({ values: values(), layers: [], rejects: [] }) },
});

/** Faults of a type that a step cannot take. */
export function rejectType(scope: Scope, at: string, column: RelationColumn, wanted: string): undefined {
  return reject(scope, at, {
    code: "function_not_applicable",
    message: `${JSON.stringify(column.name)} is of type ${column.type?.name}. ${wanted}`,
  });
}

/** Whether a column is text, or may be as far as is known. */
export const mayBeText = (column: RelationColumn): boolean =>
  column.type === undefined || column.type.family === "text";
