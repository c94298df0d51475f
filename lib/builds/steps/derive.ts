import { checkExpression } from "@/lib/builds/expressions/check";
import { expressionSchema } from "@/lib/builds/expressions/expression";
import { STRING } from "@/lib/builds/expressions/function-row";
import { Layers, type Typed } from "@/lib/builds/expressions/typed";
import { derivedColumn, type Relation } from "@/lib/builds/relation";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import { checkNewName } from "./rename";
import { checkUnique, type PlannedSql, type StepKind } from "./step";
import { listed, nameMap, stepShape } from "./step-shape";

const schema = stepShape("derive", { columns: nameMap(expressionSchema, 100) });

/** All expressions see the columns as they are before the step. An existing column is replaced in place. */
export const derive: StepKind<typeof schema._output> = {
  name: "derive",
  schema,
  english: ({ columns }) => `computes ${listed(Object.keys(columns))}`,
  plan(step, input, scope) {
    const derivations = Object.entries(step.columns).map(([name, expression]) => {
      const at = `/columns${pointerTo(name)}`;
      const isNamed = checkNewName(scope, name, at);
      const typed = checkExpression(expression, input, scope, at);
      return isNamed && typed ? { name, typed } : undefined;
    });
    if (!derivations.every((each) => each !== undefined)) return undefined;
    const relation = derived(input, derivations, scope.step);
    const isUnique = checkUnique(
      scope,
      relation.columns.map(({ name }) => name),
      (index) => `/columns${pointerTo(relation.columns[index]?.name ?? "")}`,
    );
    return isUnique ? { relation, sql: derivedSql(input, derivations) } : undefined;
  },
};

interface Derivation {
  name: string;
  typed: Typed;
}

function derived(input: Relation, derivations: readonly Derivation[], step: number): Relation {
  const byName = new Map(
    derivations.map(({ name, typed }) => [
      name,
      derivedColumn(name, typed.isNull ? STRING : typed.type, typed.columns, { step, kind: "derived" }),
    ]),
  );
  const replaced = input.columns.map((column) => byName.get(column.name) ?? column);
  const known = new Set(input.columns.map(({ name }) => name));
  const added = derivations.flatMap(({ name }) => (known.has(name) ? [] : (byName.get(name) ?? [])));
  return { columns: insertedRight(replaced, added, derivations, input), isOpen: input.isOpen };
}

/** Inserts new columns to the right of the last column that they are derived from, or at the end if there is none. */
function insertedRight(
  replaced: Relation["columns"],
  added: Relation["columns"],
  derivations: readonly Derivation[],
  input: Relation,
): Relation["columns"] {
  const columns = [...replaced];
  for (const column of added) {
    const typed = derivations.find(({ name }) => name === column.name)?.typed;
    const indexes = typed?.columns.map(({ name }) => columns.findIndex((each) => each.name === name)) ?? [];
    const last = Math.max(-1, ...indexes);
    const isAlone = last < 0 || !input.columns.some(({ name }) => name === columns[last]?.name);
    const behind = isAlone ? columns.length : indexBehind(columns, last, added);
    columns.splice(behind, 0, column);
  }
  return columns;
}

/** After columns that were inserted there before, so that several keep their order. */
function indexBehind(columns: Relation["columns"], last: number, added: Relation["columns"]): number {
  let index = last + 1;
  while (index < columns.length && added.some(({ name }) => name === columns[index]?.name)) index += 1;
  return index;
}

function derivedSql(input: Relation, derivations: readonly Derivation[]): PlannedSql {
  return {
    form: "cells",
    cells: () => {
      const layers = new Layers("e");
      const byName = new Map(
        derivations.map(({ name, typed }) => [
          name,
          typed.isNull ? "CAST(NULL AS VARCHAR)" : typed.emit({ layers }).sql,
        ]),
      );
      const order = derived(input, derivations, 0).columns;
      const values = order.map(
        ({ name }) => byName.get(name) ?? `c${input.columns.findIndex((column) => column.name === name)}`,
      );
      return { values, layers: layers.rows, rejects: [] };
    },
  };
}
