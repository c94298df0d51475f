import type { Relation, RelationColumn } from "@/lib/builds/relation";
import { checkUnique, type Planned, type RejectRule, type Scope } from "./step";

/** Columns made from one cell, inserted to its right or in its place. */
export interface Inserted {
  index: number;
  keepsCell: boolean;
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
export function insertedCells(input: Relation, scope: Scope, inserted: Inserted): Planned | undefined {
  const index = inserted.index < 0 ? input.columns.length : inserted.index + 1;
  const columns = [...input.columns];
  columns.splice(index, 0, ...inserted.columns);
  const left = inserted.keepsCell || inserted.index < 0 ? columns : columns.filter((_, at) => at !== inserted.index);
  const first = inserted.keepsCell || inserted.index < 0 ? index : inserted.index;
  const isUnique = checkUnique(
    scope,
    left.map(({ name }) => name),
    (at) => inserted.at(at - first),
  );
  if (!isUnique) return undefined;
  const relation = { columns: left, isOpen: input.isOpen };
  return {
    relation,
    sql: {
      form: "cells",
      cells: () => {
        const ref = `c${inserted.index}`;
        const all = input.columns.map((_, at) => `c${at}`);
        all.splice(index, 0, ...inserted.values(ref));
        const values = inserted.keepsCell ? all : all.filter((_, at) => at !== inserted.index);
        return { values, layers: inserted.layers?.(ref) ?? [], rejects: inserted.rejects?.(ref, relation) ?? [] };
      },
    },
  };
}
