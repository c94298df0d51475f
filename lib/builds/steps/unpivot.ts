import { z } from "zod";
import { STRING } from "@/lib/builds/expressions/function-row";
import { NOT_SIMPLE, simplePattern } from "@/lib/builds/patterns";
import { commonType, derivedColumn, type Relation, type RelationColumn, storageOf } from "@/lib/builds/relation";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnNameSchema, numberSchema, patternSchema } from "@/lib/schemas/recipe-values";
import { textSql } from "./cell-rule";
import { columnSetSchema, resolveSet } from "./column-set";
import { setText } from "./drop";
import { groupNumber } from "./extract";
import { checkNewName } from "./rename";
import { checkUnique, type Found, reject, type Scope, type StepKind } from "./step";
import { checkPattern, nameMap, stepShape } from "./step-shape";

const schema = stepShape("unpivot", {
  columns: columnSetSchema,
  names_to: columnNameSchema.optional(),
  values_to: columnNameSchema,
  drop_nulls: z.boolean().default(true),
  names: z
    .strictObject({ pattern: patternSchema, into: nameMap(z.union([z.string().min(1).max(100), numberSchema]), 20) })
    .optional(),
  as_text: z.boolean().default(false),
});
type Unpivot = typeof schema._output;

/** Wide to long: one row for each of the columns, in their order. */
export const unpivot: StepKind<Unpivot> = {
  name: "unpivot",
  schema,
  english: ({ columns, values_to: to }) =>
    `turns each of the columns ${setText(columns)} into a row, with its value in ${JSON.stringify(to)}`,
  plan(step, input, scope) {
    const found = resolveSet(scope, input, step.columns, "/columns");
    if (!found) return undefined;
    if (step.names_to === undefined && step.names === undefined)
      return reject(scope, "/names_to", {
        code: "invalid_request",
        message: "Use names_to or names. Otherwise the columns' names are lost.",
      });
    const type = valueType(step, found, scope);
    const names = namesOf(step, found, input, scope);
    if (type === "none" || !names) return undefined;
    const gone = new Set(found.map(({ index }) => index));
    const others = input.columns.flatMap((column, index) => (gone.has(index) ? [] : [{ column, index }]));
    const origin = { step: scope.step, kind: "derived" as const };
    const values = derivedColumn(
      step.values_to,
      type,
      found.map(({ column }) => column),
      { step: scope.step, kind: "copied" },
    );
    const isUntyped = !step.as_text && found.length > 0 && found.every(({ column }) => column.isUntyped);
    const columns = [
      ...others.map(({ column }) => ({ ...column, isRepeated: true })),
      ...names.map(({ name }) => ({ ...derivedColumn(name, STRING, [], origin), kind: "derived" as const })),
      { ...values, ...(isUntyped && { isUntyped }) },
    ];
    const isNamed = [...names.map(({ name }) => name), step.values_to].every((name) =>
      checkNewName(scope, name, "/values_to"),
    );
    if (
      !isNamed ||
      !checkUnique(
        scope,
        columns.map(({ name }) => name),
        () => "/values_to",
      )
    )
      return undefined;
    return {
      relation: { columns, isOpen: input.isOpen },
      sql: {
        form: "query",
        sql: (from) => unpivotSql(step, from, others, found, names, type),
        ...(step.drop_nulls && { count: { what: "dropped", by: { each: found.length } } as const }),
      },
    };
  },
};

/** All columns must have the same type, or become text. */
function valueType(step: Unpivot, found: readonly Found[], scope: Scope): RelationColumn["type"] | "none" {
  if (step.as_text) return STRING;
  if (found.some(({ column }) => !column.type)) return undefined;
  const [first] = found;
  const type = found.reduce<RelationColumn["type"]>(
    (common, { column }) => common && column.type && commonType(common, column.type),
    first?.column.type,
  );
  if (type || found.length === 0) return type;
  const types = [...new Set(found.map(({ column }) => column.type?.name))].join(", ");
  reject(scope, "/columns", {
    code: "function_not_applicable",
    message: `The columns have different types: ${types}. Use as_text: true, or cast them.`,
  });
  return "none";
}

interface NameColumn {
  name: string;
  /** One for each of the columns. */
  texts: string[];
}

function namesOf(step: Unpivot, found: readonly Found[], input: Relation, scope: Scope): NameColumn[] | undefined {
  const own =
    step.names_to === undefined ? [] : [{ name: step.names_to, texts: found.map(({ column }) => column.name) }];
  if (!step.names) return own;
  const { pattern, into } = step.names;
  if (!checkPattern(scope, pattern, "/names/pattern")) return undefined;
  const simple = simplePattern(pattern);
  if (!simple) return reject(scope, "/names/pattern", { code: "invalid_value", message: NOT_SIMPLE });
  const matches = found.map(({ column }) => simple.exec(column.name));
  const strange = matches.indexOf(null);
  if (strange >= 0 && !input.isOpen)
    return reject(scope, "/names/pattern", {
      code: "invalid_value",
      message: `${JSON.stringify(found[strange]?.column.name)} does not match the pattern.`,
    });
  const taken = Object.entries(into).map(([name, group]) => {
    const number = groupNumber(pattern, group);
    if (number === undefined)
      return reject(scope, `/names/into/${name}`, { code: "invalid_value", message: "The pattern has no such group." });
    return { name, texts: matches.map((match) => match?.[number] ?? "") };
  });
  return taken.every((each) => each !== undefined) ? [...own, ...taken] : undefined;
}

function unpivotSql(
  step: Unpivot,
  from: string,
  others: readonly Found[],
  found: readonly Found[],
  names: readonly NameColumn[],
  type: RelationColumn["type"],
): string {
  const storage =
    type &&
    (storageOf(type) === "VARCHAR" && type.columnar.kind === "nested" ? found[0]?.column.storage : storageOf(type));
  const values = found.map(({ index, column }) =>
    step.as_text ? textSql(`c${index}`, column) : `CAST(c${index} AS ${storage})`,
  );
  const listed = `unnest([${values.join(", ")}]) AS value, unnest(range(1, ${found.length + 1})) AS nth`;
  const cells = [
    ...others.map(({ index }) => `c${index}`),
    ...names.map(({ texts }) => `[${texts.map(quoteLiteral).join(", ")}][nth]`),
    "value",
  ];
  const where = step.drop_nulls ? " WHERE value IS NOT NULL" : "";
  return (
    `SELECT ${cells.map((cell, at) => `${cell} AS c${at}`).join(", ")}, o FROM (SELECT *, ${listed} ` +
    `FROM ${from})${where} ORDER BY p, nth`
  );
}
