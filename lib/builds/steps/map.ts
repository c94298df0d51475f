import { z } from "zod";
import { STRING } from "@/lib/builds/expressions/function-row";
import { literalOf } from "@/lib/builds/expressions/literal";
import { castTo, Layers, type Typed, unified } from "@/lib/builds/expressions/typed";
import { derivedColumn, type Relation, storageOf } from "@/lib/builds/relation";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnNameSchema, scalarSchema } from "@/lib/schemas/recipe-values";
import { textSql } from "./cell-rule";
import { checkNewName } from "./rename";
import { checkUnique, findColumn, type Planned, reject, type Scope, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const PAIRS_MAX = 2000;
const target = scalarSchema.nullable();
const schema = stepShape("map", {
  column: columnNameSchema,
  to: columnNameSchema.optional(),
  values: z
    .union([
      z.strictObject({
        pairs: z
          .array(z.tuple([z.string().max(4096), target]))
          .min(1)
          .max(PAIRS_MAX),
      }),
      z.record(z.string().max(4096), target),
    ])
    .describe('Each text with its new value, as an object, or as `{"pairs": [[text, value], …]}`.'),
  otherwise: z.enum(["keep", "null", "error"]).default("error"),
});
type MapStep = typeof schema._output;

function pairsOf({ values }: MapStep): [string, z.output<typeof target>][] {
  const pairs = "pairs" in values && Array.isArray(values.pairs) ? values.pairs : undefined;
  return pairs ?? (Object.entries(values) as [string, z.output<typeof target>][]);
}

/** Recodes by the cell's text. Null remains null. */
export const map: StepKind<MapStep> = {
  name: "map",
  schema,
  english: (step) => `recodes ${JSON.stringify(step.column)} by ${pairsOf(step).length} pairs`,
  plan(step, input, scope) {
    const found = findColumn(scope, input, step.column, "/column");
    const pairs = pairsOf(step);
    if (!checkPairs(scope, pairs)) return undefined;
    const replacements = pairs.map(([, to], at) =>
      to === null ? undefined : literalOf(to, undefined, scope, `/values/${at}`),
    );
    const named = step.to === undefined || checkNewName(scope, step.to, "/to");
    if (!found || !named || replacements.some((typed, at) => typed === undefined && pairs[at]?.[1] !== null))
      return undefined;
    const type = unified(replacements.filter((typed) => typed !== undefined)) ?? STRING;
    if (type === "none")
      return reject(scope, "/values", { code: "invalid_value", message: "The new values have different types." });
    if (
      step.otherwise === "keep" &&
      (type.family !== "text" || (found.column.type && found.column.type.family !== "text"))
    )
      return reject(scope, "/otherwise", {
        code: "invalid_value",
        message: "keep requires that strings are mapped to strings.",
      });
    const column = derivedColumn(step.to ?? step.column, type, [found.column], { step: scope.step, kind: "derived" });
    return planned(step, input, scope, found.index, column, { pairs, replacements, storage: storageOf(type) });
  },
};

function checkPairs(scope: Scope, pairs: readonly (readonly [string, unknown])[]): boolean {
  const keys = new Set(pairs.map(([from]) => from));
  if (pairs.length === 0) reject(scope, "/values", { code: "invalid_request", message: "Give at least one pair." });
  if (pairs.length > PAIRS_MAX)
    reject(scope, "/values", {
      code: "too_many_values",
      message: `Too many pairs: ${pairs.length} (maximum ${PAIRS_MAX}). Join an upload instead.`,
    });
  if (keys.size < pairs.length)
    reject(scope, "/values", { code: "invalid_value", message: "A value is mapped twice." });
  return pairs.length > 0 && pairs.length <= PAIRS_MAX && keys.size === pairs.length;
}

interface Recoding {
  pairs: readonly (readonly [string, unknown])[];
  replacements: readonly (Typed | undefined)[];
  storage: string;
}

function planned(
  step: MapStep,
  input: Relation,
  scope: Scope,
  index: number,
  column: Relation["columns"][number],
  recoding: Recoding,
): Planned | undefined {
  const place = step.to === undefined || step.to === step.column ? index : index + 1;
  const columns = [...input.columns];
  columns.splice(place, place === index ? 1 : 0, column);
  if (
    !checkUnique(
      scope,
      columns.map(({ name }) => name),
      () => "/to",
    )
  )
    return undefined;
  const source = input.columns[index];
  return {
    relation: { columns, isOpen: input.isOpen },
    sql: {
      form: "cells",
      cells: () => {
        const text = source ? textSql(`c${index}`, source) : `c${index}`;
        const values = input.columns.map((_, at) => `c${at}`);
        values.splice(place, place === index ? 1 : 0, recodedSql(step, text, recoding));
        const keys = recoding.pairs.map(([from]) => quoteLiteral(from)).join(", ");
        const test = `c${index} IS NOT NULL AND ${text} NOT IN (${keys})`;
        const reason = "is not one of the mapped values";
        const rejects =
          step.otherwise === "error" ? [{ column: step.column, onError: "fail" as const, test, text, reason }] : [];
        return { values, layers: [], rejects };
      },
    },
  };
}

function recodedSql(step: MapStep, text: string, { pairs, replacements, storage }: Recoding): string {
  const type = { name: "", duckdb: storage } as never;
  const cases = pairs.map(([from], at) => {
    const typed = replacements[at];
    const value = typed ? castTo(typed.emit({ layers: new Layers("m") }), undefined, type).sql : "NULL";
    return `WHEN ${quoteLiteral(from)} THEN ${value}`;
  });
  return `CASE ${text} ${cases.join(" ")} ELSE ${step.otherwise === "keep" ? text : "NULL"} END`;
}
