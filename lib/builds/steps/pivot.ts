import { z } from "zod";
import { INT64 } from "@/lib/builds/expressions/function-row";
import { derivedColumn, storageOf } from "@/lib/builds/relation";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { textSql } from "./cell-rule";
import { checkNewName } from "./rename";
import { checkUnique, type Found, findColumn, findColumns, type Guard, rejectType, type StepKind } from "./step";
import { nameList, stepShape } from "./step-shape";

const schema = stepShape("pivot", {
  keys: nameList(8),
  names_from: columnNameSchema,
  values_from: columnNameSchema,
  names: nameList(200),
  function: z.enum(["only", "first", "last", "sum", "min", "max", "count"]).default("only"),
  other: z.enum(["error", "drop"]).default("error"),
});
type Pivot = typeof schema._output;

/** Long to wide. The names are listed, so that the columns do not depend on the data. */
export const pivot: StepKind<Pivot> = {
  name: "pivot",
  schema,
  english: ({ names_from: names, values_from: values }) =>
    `makes columns of the values of ${JSON.stringify(names)}, filled from ${JSON.stringify(values)}`,
  plan(step, input, scope) {
    const keys = findColumns(scope, input, step.keys, "/keys");
    const name = findColumn(scope, input, step.names_from, "/names_from");
    const value = findColumn(scope, input, step.values_from, "/values_from");
    const isNamed = step.names.every((each, at) => checkNewName(scope, each, `/names/${at}`));
    if (!keys || !name || !value || !isNamed) return undefined;
    const { type } = value.column;
    if (
      type &&
      (step.function === "sum" || step.function === "min" || step.function === "max") &&
      !AGGREGATES[step.function].families.includes(type.family)
    )
      return rejectType(scope, "/function", value.column, `${step.function} does not apply.`);
    const result = type && resultType(step.function, type);
    const pivoted = step.names.map((each) => {
      const column = derivedColumn(each, result, [value.column], { step: scope.step, kind: "aggregated" });
      return result?.name === type?.name ? { ...column, storage: value.column.storage } : column;
    });
    const columns = [...keys.map(({ column }) => column), ...pivoted];
    if (
      !checkUnique(
        scope,
        columns.map((column) => column.name),
        (at) => `/names/${at - keys.length}`,
      )
    )
      return undefined;
    return {
      relation: { columns, isOpen: false },
      sql: {
        form: "query",
        guards: guardsOf(step, keys, name),
        ...(step.other === "drop" && { count: { what: "dropped", by: { sql: otherSql(step, name) } } as const }),
        sql: (from) => pivotSql(step, keys, name, value, result, from),
      },
    };
  },
};

function resultType(name: Pivot["function"], type: ColumnType): ColumnType {
  if (name === "count") return INT64;
  return name === "sum" ? AGGREGATES.sum.result(type) : type;
}

function pivotSql(
  step: Pivot,
  keys: readonly Found[],
  name: Found,
  value: Found,
  result: ColumnType | undefined,
  from: string,
): string {
  const groups = keys.map(({ index }) => `c${index}`);
  const cell = `c${value.index}`;
  const values = step.names.map((each) => {
    const isHere = `${textSql(`c${name.index}`, name.column)} = ${quoteLiteral(each)}`;
    const here = `CASE WHEN ${isHere} THEN ${cell} END`;
    if (step.function === "first") return `arg_min_null(${cell}, CASE WHEN ${isHere} THEN p END)`;
    if (step.function === "last") return `arg_max_null(${cell}, CASE WHEN ${isHere} THEN p END)`;
    if (step.function === "count") return `count(${here})`;
    if (step.function === "sum" && value.column.type)
      return `CAST(${AGGREGATES.sum.sql(`(${here})`, value.column.type)} AS ${result && storageOf(result)})`;
    return step.function === "min" ? `min(${here})` : `max(${here})`;
  });
  const cells = [...groups, ...values].map((sql, at) => `${sql} AS k${at}`);
  const named = cells.map((_, at) => `k${at} AS c${at}`);
  return (
    `SELECT ${named.join(", ")}, CAST(NULL AS BIGINT) AS o FROM (SELECT ${cells.join(", ")}, min(p) ` +
    `AS first FROM ${from} GROUP BY ${groups.join(", ")}) ORDER BY first`
  );
}

const isOther = (step: Pivot, name: Found): string => {
  const text = textSql(`c${name.index}`, name.column);
  return `(${text} IS NULL OR ${text} NOT IN (${step.names.map(quoteLiteral).join(", ")}))`;
};

const otherSql = (step: Pivot, name: Found) => (from: string) =>
  `SELECT CAST(count(*) AS VARCHAR) FROM ${from} WHERE ${isOther(step, name)}`;

function guardsOf(step: Pivot, keys: readonly Found[], name: Found): Guard[] {
  const text = textSql(`c${name.index}`, name.column);
  const list = step.names.map(quoteLiteral).join(", ");
  const groups = keys.map(({ index }) => `c${index}`).join(", ");
  const shown = keys.map(({ index }) => `CAST(c${index} AS VARCHAR)`).join(", ");
  const only: Guard = {
    code: "key_violation",
    sql: (from) =>
      `SELECT ${text}, ${shown} FROM ${from} WHERE ${text} IN (${list}) GROUP BY ${text}, ${groups} ` +
      `HAVING count(*) > 1 ORDER BY min(p) LIMIT 1`,
    message: ([which, ...cells]) =>
      `${step.keys.map((key, at) => `${JSON.stringify(key)} ${cells[at]}`).join(", ")} has several ` +
      `values of ${JSON.stringify(which)}. Choose a function.`,
  };
  const other: Guard = {
    code: "schema_violation",
    sql: (from) => `SELECT coalesce(${text}, 'null') FROM ${from} WHERE ${isOther(step, name)} ORDER BY p LIMIT 1`,
    message: ([which]) =>
      `${JSON.stringify(which)} is not one of the names. Add it, or drop such rows with other: drop.`,
  };
  return [...(step.function === "only" ? [only] : []), ...(step.other === "error" ? [other] : [])];
}
