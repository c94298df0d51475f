import type { Relation, RelationColumn } from "@/lib/builds/relation";
import { checkUnique, type Planned, type RejectRule, type Scope } from "./step";

/** Columns made from one cell, inserted to its right or in its place. */
export interface Inserted {
  index: number;
  isKept: boolean;
  columns: readonly RelationColumn[];
  /** `ref` is the cell. */
  values(ref: string): string[];
  /** What must be computed before the values. */
  layers?(ref: string): readonly (readonly string[])[];
  rejects?(ref: string, relation: Relation): RejectRule[];
  /** The place of the fault of a name that is already taken. */
  at(index: number): string;
}

/** Undefined if a name is already taken. */
export function insertedCells(input: Relation, scope: Scope, made: Inserted): Planned | undefined {
  const place = made.index < 0 ? input.columns.length : made.index + 1;
  const columns = [...input.columns];
  columns.splice(place, 0, ...made.columns);
  const left = made.isKept || made.index < 0 ? columns : columns.filter((_, at) => at !== made.index);
  const first = made.isKept || made.index < 0 ? place : made.index;
  const isUnique = checkUnique(
    scope,
    left.map(({ name }) => name),
    (at) => made.at(at - first),
  );
  if (!isUnique) return undefined;
  const relation = { columns: left, isOpen: input.isOpen };
  return {
    relation,
    sql: {
      form: "cells",
      cells: () => {
        const ref = `c${made.index}`;
        const all = input.columns.map((_, at) => `c${at}`);
        all.splice(place, 0, ...made.values(ref));
        const values = made.isKept ? all : all.filter((_, at) => at !== made.index);
        return { values, layers: made.layers?.(ref) ?? [], rejects: made.rejects?.(ref, relation) ?? [] };
      },
    },
  };
}
