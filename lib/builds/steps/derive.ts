import { checkExpression } from "@/lib/builds/expressions/check";
import { expressionSchema } from "@/lib/builds/expressions/expression";
import { STRING } from "@/lib/builds/expressions/function-row";
import { Layers, type Typed } from "@/lib/builds/expressions/typed";
import { madeColumn, type Relation } from "@/lib/builds/relation";
import { pointerTo } from "@/lib/engine/grammar/grammar-faults";
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
    const made = Object.entries(step.columns).map(([name, expression]) => {
      const at = `/columns${pointerTo(name)}`;
      const isNamed = checkNewName(scope, name, at);
      const typed = checkExpression(expression, input, scope, at);
      return isNamed && typed ? { name, typed } : undefined;
    });
    if (!made.every((each) => each !== undefined)) return undefined;
    const relation = derived(input, made, scope.step);
    const isUnique = checkUnique(
      scope,
      relation.columns.map(({ name }) => name),
      (index) => `/columns${pointerTo(relation.columns[index]?.name ?? "")}`,
    );
    return isUnique ? { relation, sql: derivedSql(input, made) } : undefined;
  },
};

interface Made {
  name: string;
  typed: Typed;
}

function derived(input: Relation, made: readonly Made[], step: number): Relation {
  const byName = new Map(
    made.map(({ name, typed }) => [
      name,
      madeColumn(name, typed.isNull ? STRING : typed.type, typed.columns, { step, kind: "derived" }),
    ]),
  );
  const kept = input.columns.map((column) => byName.get(column.name) ?? column);
  const known = new Set(input.columns.map(({ name }) => name));
  const added = made.flatMap(({ name }) => (known.has(name) ? [] : (byName.get(name) ?? [])));
  return { columns: insertedRight(kept, added, made, input), isOpen: input.isOpen };
}

/** Inserts new columns to the right of the last column that they are derived from, or at the end if there is none. */
function insertedRight(
  kept: Relation["columns"],
  added: Relation["columns"],
  made: readonly Made[],
  input: Relation,
): Relation["columns"] {
  const columns = [...kept];
  for (const column of added) {
    const typed = made.find(({ name }) => name === column.name)?.typed;
    const places = typed?.columns.map(({ name }) => columns.findIndex((each) => each.name === name)) ?? [];
    const last = Math.max(-1, ...places);
    const isAlone = last < 0 || !input.columns.some(({ name }) => name === columns[last]?.name);
    const behind = isAlone ? columns.length : placeBehind(columns, last, added);
    columns.splice(behind, 0, column);
  }
  return columns;
}

/** After columns that were inserted there before, so that several keep their order. */
function placeBehind(columns: Relation["columns"], last: number, added: Relation["columns"]): number {
  let place = last + 1;
  while (place < columns.length && added.some(({ name }) => name === columns[place]?.name)) place += 1;
  return place;
}

function derivedSql(input: Relation, made: readonly Made[]): PlannedSql {
  return {
    form: "cells",
    cells: () => {
      const layers = new Layers("e");
      const byName = new Map(
        made.map(({ name, typed }) => [name, typed.isNull ? "CAST(NULL AS VARCHAR)" : typed.emit({ layers }).sql]),
      );
      const order = derived(input, made, 0).columns;
      const values = order.map(
        ({ name }) => byName.get(name) ?? `c${input.columns.findIndex((column) => column.name === name)}`,
      );
      return { values, layers: layers.rows, rejects: [] };
    },
  };
}
