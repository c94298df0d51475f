import { parseColumnType } from "@/lib/engine/types/column-types";
import type { Fault } from "@/lib/kernel/errors";
import type { RecipeStep, ResultColumn } from "@/lib/schemas/recipe";
import type { DraftTable } from "./document/read-recipe";
import { NODES_MAX } from "./expressions/expression";
import type { Lock, MonthNames } from "./lock";
import { derivedColumn, type Relation, type RelationColumn } from "./relation";
import { castRule, type RuledColumn, ruledProjection } from "./steps/cell-rule";
import { STEP_KINDS } from "./steps/registry";
import { findColumn, findColumns, type Planned, projection, reject, type Scope } from "./steps/step";

/** What planning a recipe collects in addition to its tables. */
export interface Gathered {
  faults: Fault[];
  warnings: { pointer: string; message: string }[];
  patterns: Scope["patterns"];
  sets: Scope["sets"];
  monthsOf(locale: string): MonthNames;
}

export interface PlannedTable {
  steps: Planned[];
  /** The last of `steps` proves the promised types and puts the columns in order. */
  relation: Relation;
}

const OPEN: Relation = { columns: [], isOpen: true };

/** Plans a table from what is known about its input. An invalid step results in an unknown relation. */
export function planTable(
  table: DraftTable,
  at: number,
  relations: ReadonlyMap<string, Relation | undefined>,
  gathered: Gathered,
  lock: Lock | null,
): PlannedTable {
  const pointer = `/tables/${at}`;
  const nodes = { left: NODES_MAX };
  const scopeAt = (path: string, step: number): Scope => ({
    ...gathered,
    pointer: pointer + path,
    step,
    from: table.from,
    relations,
    nodes,
  });
  const steps: Planned[] = [];
  let relation = relations.get(table.from) ?? OPEN;
  if (!relations.has(table.from)) rejectInput(scopeAt("/from", 0), table.from, relations);
  for (const [index, step] of table.steps.entries()) {
    const planned = step && planStep(step, relation, scopeAt(`/steps/${index}`, index));
    if (planned) steps.push(planned);
    relation = planned?.relation ?? OPEN;
  }
  const result = planResult(table, relation, scopeAt("", table.steps.length), lock?.columns[table.name]);
  if (result) steps.push(result);
  checkEnds(table, result?.relation ?? OPEN, scopeAt("", table.steps.length));
  return { steps, relation: result?.relation ?? OPEN };
}

function planStep(step: RecipeStep, input: Relation, scope: Scope): Planned | undefined {
  return STEP_KINDS[step.step]?.plan(step, input, scope);
}

function rejectInput(scope: Scope, name: string, relations: ReadonlyMap<string, unknown>): void {
  reject(scope, "", {
    code: "invalid_value",
    message: `There is no source or earlier table ${JSON.stringify(name)}.`,
    allowed: [...relations.keys()],
  });
}

/** Proves the promised types and orders the columns: named ones first, followed by the rest unless `only`. */
function planResult(
  table: DraftTable,
  input: Relation,
  scope: Scope,
  locked: Lock["columns"][string] | undefined,
): Planned | undefined {
  const promises = table.columns ?? [];
  const lockedTypes = new Map(locked?.map(({ name, type }) => [name, type]));
  const ruled = promises.map((promise, at) => promised(promise, at, input, scope, lockedTypes));
  if (!ruled.every((each) => each !== undefined)) return undefined;
  const named = new Set(promises.map(({ name }) => name));
  const rest = input.columns.flatMap((column, index) =>
    named.has(column.name) || table.only ? [] : [{ column, index }],
  );
  for (const { column } of rest) if (!table.internal) warnUndescribed(scope, column);
  const found = ruled.map(({ found }) => found);
  const isUnique = new Set(promises.map(({ name }) => name)).size === promises.length;
  if (!isUnique) return reject(scope, "/columns", { code: "duplicate_column", message: "A column is named twice." });
  const inferred = rest.map(
    ({ column, index }): RuledColumn => ruledBy(column, index, lockedTypes.get(column.name), scope),
  );
  const all = [...ruled, ...inferred];
  const proven = ruledProjection(
    input,
    all.filter(({ rule }) => rule.reason !== ""),
    "fail",
  );
  const order = [...found.map(({ index }) => index), ...rest.map(({ index }) => index)];
  return ordered(proven, order, all, input);
}

function promised(
  promise: ResultColumn,
  at: number,
  input: Relation,
  scope: Scope,
  lockedTypes: ReadonlyMap<string, string>,
): RuledColumn | undefined {
  const found = findColumn(scope, input, promise.name, `/columns/${at}/name`);
  const type = promise.type === undefined ? found?.column.type : parseColumnType(promise.type);
  if (promise.type !== undefined && !type)
    return reject(scope, `/columns/${at}/type`, {
      code: "invalid_value",
      message: `Unknown type ${JSON.stringify(promise.type)}.`,
    });
  if (!found) return undefined;
  const { column, index } = found;
  if (promise.type === undefined) return ruledBy(column, index, lockedTypes.get(column.name), scope);
  if (!type || column.type?.name === type.name) return { found, rule: SAME, result: { ...column, isUntyped: false } };
  const rule = castRule(column, type);
  if (!rule)
    return reject(scope, `/columns/${at}/type`, {
      code: "function_not_applicable",
      message: `${JSON.stringify(column.name)} is of type ${column.type?.name}, which cannot become ${type.name}.`,
    });
  return {
    found,
    rule,
    result: derivedColumn(column.name, type, [column], {
      step: scope.step,
      kind: column.kind === "copied" ? "parsed" : column.kind,
    }),
  };
}

const SAME = { value: (ref: string) => ref, isBad: () => "FALSE", reason: "" };

/** A string that nothing typed gets its type from the lock. */
function ruledBy(column: RelationColumn, index: number, lockedType: string | undefined, scope: Scope): RuledColumn {
  const type = column.isUntyped && lockedType !== undefined ? parseColumnType(lockedType) : undefined;
  const rule = type && type.name !== column.type?.name ? castRule(column, type) : undefined;
  if (!type || !rule) return { found: { column, index }, rule: SAME, result: column };
  return {
    found: { column, index },
    rule,
    result: derivedColumn(column.name, type, [column], { step: scope.step, kind: "parsed" }),
  };
}

function ordered(proven: Planned, order: readonly number[], all: readonly RuledColumn[], input: Relation): Planned {
  const relation: Relation = { columns: all.map(({ result }) => result), isOpen: input.isOpen };
  if (input.isOpen || proven.sql.form !== "cells") return projection(relation, () => []);
  const { cells, before = [] } = proven.sql;
  return {
    relation,
    sql: {
      form: "cells",
      before,
      cells: () => {
        const { values, ...rest } = cells();
        return { values: order.map((index) => values[index] ?? ""), ...rest };
      },
    },
  };
}

function warnUndescribed(scope: Scope, column: RelationColumn): void {
  scope.warnings.push({
    pointer: `${scope.pointer}/columns`,
    message: `The column ${JSON.stringify(column.name)} is in the result but has no description.`,
  });
}

/** Checks that keys, order and time name suitable columns of the result. */
function checkEnds(table: DraftTable, result: Relation, scope: Scope): void {
  if (!table.internal && table.columns === undefined)
    reject(scope, "/columns", {
      code: "invalid_request",
      message: "columns is missing. Describe the columns of a table that is sealed, or make it internal.",
    });
  checkNamed(table.primary_key, "primary_key", result, scope);
  checkNamed(table.order_by, "order_by", result, scope);
  const time =
    table.time_column === undefined ? undefined : findColumn(scope, result, table.time_column, "/time_column");
  if (time?.column.type && !["date", "timestamp"].includes(time.column.type.name))
    reject(scope, "/time_column", {
      code: "invalid_value",
      message: `${JSON.stringify(table.time_column)} is of type ${time.column.type.name}. Name a date or a timestamp.`,
    });
}

function checkNamed(names: readonly string[], key: "primary_key" | "order_by", result: Relation, scope: Scope): void {
  const found = findColumns(scope, result, names, `/${key}`) ?? [];
  for (const [index, { column }] of found.entries()) {
    const isFit = key === "primary_key" ? column.type?.source.isKey : column.type?.family !== "opaque";
    if (!column.type || isFit) continue;
    reject(scope, `/${key}/${index}`, {
      code: "column_not_orderable",
      message: `${JSON.stringify(column.name)} is of type ${column.type.name}, which cannot be used here.`,
    });
  }
}
