import { type Relation, type RelationColumn, storageOf } from "@/lib/builds/relation";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { declaredRule } from "@/lib/readers/typed/cell-types";
import { COMPUTED_MAX, type ComputedCells, type Found, type Planned, type RejectRule } from "./step";
import type { OnError } from "./step-shape";

/** How a cell is converted. `ref` is the cell, `value` the name of the result. */
export interface CellRule {
  value(ref: string): string;
  /** SQL, true if a cell that is not null gives no value. */
  isBad(ref: string, value: string): string;
  reason: string;
  /** SQL of named values that must be computed before `value`; each may refer to those before it. */
  below?(ref: string, prefix: string): readonly string[];
}

/** The cell as the service writes values as text. */
export function textSql(ref: string, { type, storage }: Pick<RelationColumn, "type" | "storage">): string {
  if (!type || type.family === "text" || type.json.kind === "any") return ref;
  if (type.columnar.kind === "nested") return `CAST(to_json(${ref}) AS VARCHAR)`;
  if (type.json.digits) return type.json.digits(ref);
  return type.json.kind === "string" && type.json.value
    ? type.json.value(ref, storage, false)
    : `CAST(${ref} AS VARCHAR)`;
}

/**
 * Casts exactly from one type to another: a value that does not survive a round trip is bad. Undefined if impossible.
 */
export function castRule(from: RelationColumn, to: ColumnType): CellRule | undefined {
  const source = from.type;
  if (!source || source.name === to.name) return { value: (ref) => ref, isBad: () => "FALSE", reason: "" };
  const reason = `is not ${to.name}`;
  if (to.family === "text") return { value: (ref) => textSql(ref, from), isBad: () => "FALSE", reason };
  if (source.family === "text" || source.json.kind === "any" || to.json.kind === "any")
    return textRule(from, to, reason);
  if (!to.duckdb || source.columnar.kind === "nested" || to.columnar.kind === "nested") return undefined;
  const back = (ref: string, value: string) => `TRY_CAST(${value} AS ${from.storage}) IS DISTINCT FROM ${ref}`;
  return {
    value: (ref) => `TRY_CAST(${ref} AS ${storageOf(to)})`,
    isBad: (ref, value) => `(${value} IS NULL OR ${back(ref, value)})`,
    reason,
  };
}

function textRule(from: RelationColumn, to: ColumnType, reason: string): CellRule | undefined {
  const rule = declaredRule(to.name);
  if (!rule) return undefined;
  const text = (ref: string) => textSql(ref, from);
  return {
    value: (ref) => `CAST(${rule.value(text(ref))} AS ${storageOf(to)})`,
    isBad: (ref, value) => `NOT coalesce(${rule.fits(text(ref), value)}, false)`,
    reason,
  };
}

export interface RuledColumn {
  found: Found;
  rule: CellRule;
  /** The resulting column. */
  result: RelationColumn;
}

/** A projection in which some cells are converted by rules, with their rejects. */
export function ruledProjection(input: Relation, ruled: readonly RuledColumn[], onError: OnError): Planned {
  const byIndex = new Map(ruled.map((each) => [each.found.index, each]));
  const computed = ruled.filter(({ found, rule }) => found.index !== -1 && !isSame(rule));
  const parts = chunksOf(computed, COMPUTED_MAX).map((part) => () => ruledCells(input, part, onError));
  const columns = input.columns.map((column, index) => byIndex.get(index)?.result ?? column);
  const added = ruled.filter(({ found }) => found.index === -1).map(({ result }) => result);
  return {
    relation: { columns: [...columns, ...added], isOpen: input.isOpen },
    sql: { form: "cells", cells: parts.at(-1) ?? (() => ruledCells(input, [], onError)), before: parts.slice(0, -1) },
  };
}

const isSame = ({ value, isBad }: CellRule): boolean => value("c") === "c" && isBad("c", "c") === "FALSE";

const chunksOf = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));

function ruledCells(input: Relation, ruled: readonly RuledColumn[], onError: OnError): ComputedCells {
  const byIndex = new Map(ruled.map((each) => [each.found.index, each]));
  const layers: string[][] = [];
  const rejects: RejectRule[] = [];
  const values = input.columns.map((column, index) => {
    const each = byIndex.get(index);
    return each ? ruledValue(each, column, `c${index}`, `v${index}`, onError, layers, rejects) : `c${index}`;
  });
  return { values, layers, rejects };
}

function ruledValue(
  { rule }: RuledColumn,
  column: RelationColumn,
  ref: string,
  name: string,
  onError: OnError,
  layers: string[][],
  rejects: RejectRule[],
): string {
  const below = rule.below?.(ref, name) ?? [];
  const bad = rule.isBad(ref, name);
  const isChecked = bad !== "FALSE";
  const computed = [
    ...below,
    `${rule.value(ref)} AS ${name}`,
    ...(isChecked ? [`(${ref} IS NOT NULL AND ${bad}) AS ${name}y`] : []),
  ];
  for (const [level, sql] of computed.entries()) {
    const layer = layers[level] ?? [];
    layer.push(sql);
    layers[level] = layer;
  }
  if (!isChecked) return name;
  rejects.push({ column: column.name, onError, test: `${name}y`, text: textSql(ref, column), reason: rule.reason });
  return `CASE WHEN ${ref} IS NOT NULL AND NOT ${name}y THEN ${name} END`;
}
