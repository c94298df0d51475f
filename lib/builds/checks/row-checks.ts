import type { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { conditionsSql, planFilters } from "@/lib/builds/query-parts";
import { commonType, storageOf } from "@/lib/builds/relation";
import { textSql } from "@/lib/builds/steps/cell-rule";
import { findColumn, findColumns, mayBeText, reject, rejectType } from "@/lib/builds/steps/step";
import { checkPattern, listed, nameList } from "@/lib/builds/steps/step-shape";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnNameSchema, patternSchema, recipeNameSchema, scalarSchema } from "@/lib/schemas/recipe-values";
import { type CheckKind, checkShape, failingRows } from "./check";
import { boundText } from "./count-checks";

const notNullSchema = checkShape("not_null", { columns: nameList() });

export const notNull: CheckKind<typeof notNullSchema._output> = {
  name: "not_null",
  schema: notNullSchema,
  english: ({ columns }) => `${listed(columns)} ${columns.length === 1 ? "is" : "are"} never null`,
  plan(check, input, scope) {
    const found = findColumns(scope, input, check.columns, "/columns");
    return (
      found && {
        columns: check.columns,
        failing: (context) =>
          failingRows(
            context,
            found.map(({ index, column }) => textSql(`c${index}`, column)),
            found.map(({ index }) => `c${index} IS NULL`).join(" OR "),
          ),
      }
    );
  },
};

const acceptedSchema = checkShape("accepted_values", {
  column: columnNameSchema,
  values: z.array(scalarSchema).min(1).max(2000).optional(),
  in: z.strictObject({ table: recipeNameSchema, column: columnNameSchema }).optional(),
});

export const acceptedValues: CheckKind<typeof acceptedSchema._output> = {
  name: "accepted_values",
  schema: acceptedSchema,
  english: ({ column, values }) =>
    `${JSON.stringify(column)} is one of ${values ? `${values.length} values` : "the values of another table"}`,
  plan(check, input, scope) {
    if ((check.values === undefined) === (check.in === undefined))
      return reject(scope, "", {
        code: "invalid_request",
        message: "Give exactly one of values and in.",
        allowed: ["values", "in"],
      });
    const found = findColumn(scope, input, check.column, "/column");
    if (!found) return undefined;
    const value = `c${found.index}`;
    const shown = [textSql(value, found.column)];
    if (check.in) {
      const named = check.in;
      if (!scope.relations.has(named.table))
        return reject(scope, "/in/table", {
          code: "invalid_value",
          message: `There is no source or earlier table ${JSON.stringify(named.table)}.`,
          allowed: [...scope.relations.keys()],
        });
      const other = scope.relations.get(named.table);
      const right = other && findColumn(scope, other, named.column, "/in/column");
      if (other && !right) return undefined;
      return {
        columns: [check.column],
        failing: (context) => {
          const { table, relation } = context.other(named.table);
          const at = relation.columns.findIndex(({ name }) => name === named.column);
          const isThere = `EXISTS (SELECT 1 FROM ${table} AS other WHERE other.c${at} = mine.${value})`;
          const mine = { ...context, rows: `${context.rows} AS mine` }; // the other table has a c0 too
          return failingRows(mine, shown, `${value} IS NOT NULL AND NOT ${isThere}`);
        },
      };
    }
    const conditions = found.column.type
      ? chunked(check.values ?? [], 20).map((values) =>
          planFilters(scope, input, [{ column: check.column, operator: "in", value: values }], "/values"),
        )
      : [];
    if (conditions.includes(undefined)) return undefined;
    return {
      columns: [check.column],
      failing: (context) =>
        failingRows(
          context,
          shown,
          `${value} IS NOT NULL AND NOT ` + `(${conditions.map((each) => conditionsSql(each ?? [])).join(" OR ")})`,
        ),
    };
  },
};

/** A filter takes at most 20 values. */
const chunked = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const rangeSchema = checkShape("range", {
  column: columnNameSchema,
  min: scalarSchema.optional(),
  max: scalarSchema.optional(),
  exclusive: z.boolean().default(false),
});

export const range: CheckKind<typeof rangeSchema._output> = {
  name: "range",
  schema: rangeSchema,
  english: ({ column, min, max }) => `${JSON.stringify(column)} is ${boundText(plainValue(min), plainValue(max))}`,
  plan(check, input, scope) {
    if (check.min === undefined && check.max === undefined)
      return reject(scope, "", { code: "invalid_request", message: "range needs min or max." });
    const found = findColumn(scope, input, check.column, "/column");
    if (!found) return undefined;
    const bounds = [
      ...(check.min === undefined
        ? []
        : [{ column: check.column, operator: check.exclusive ? "gt" : "gte", value: check.min }]),
      ...(check.max === undefined
        ? []
        : [{ column: check.column, operator: check.exclusive ? "lt" : "lte", value: check.max }]),
    ];
    const conditions = found.column.type ? planFilters(scope, input, bounds, "") : [];
    const value = `c${found.index}`;
    return (
      conditions && {
        columns: [check.column],
        failing: (context) =>
          failingRows(
            context,
            [textSql(value, found.column)],
            `${value} IS NOT NULL AND NOT ${conditionsSql(conditions)}`,
          ),
      }
    );
  },
};

const plainValue = (value: string | boolean | LosslessNumber | undefined): unknown =>
  typeof value === "object" ? value.value : value;

const patternCheckSchema = checkShape("pattern", { column: columnNameSchema, pattern: patternSchema });

export const pattern: CheckKind<typeof patternCheckSchema._output> = {
  name: "pattern",
  schema: patternCheckSchema,
  english: ({ column, pattern: text }) => `${JSON.stringify(column)} matches ${text}`,
  plan(check, input, scope) {
    const found = findColumn(scope, input, check.column, "/column");
    if (!checkPattern(scope, check.pattern, "/pattern") || !found) return undefined;
    if (!mayBeText(found.column)) return rejectType(scope, "/column", found.column, "A pattern needs strings.");
    const value = `c${found.index}`;
    return {
      columns: [check.column],
      failing: (context) =>
        failingRows(
          context,
          [value],
          `${value} IS NOT NULL AND NOT regexp_matches(${value}, ${quoteLiteral(check.pattern)})`,
        ),
    };
  },
};

const COMPARISONS = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
const compareSchema = checkShape("compare", {
  left: columnNameSchema,
  operator: z.enum(["eq", "neq", "gt", "gte", "lt", "lte"]),
  right: columnNameSchema,
});

export const compare: CheckKind<typeof compareSchema._output> = {
  name: "compare",
  schema: compareSchema,
  english: ({ left, operator, right }) => `${JSON.stringify(left)} ${COMPARISONS[operator]} ${JSON.stringify(right)}`,
  plan(check, input, scope) {
    const left = findColumn(scope, input, check.left, "/left");
    const right = findColumn(scope, input, check.right, "/right");
    if (!left || !right) return undefined;
    const type = left.column.type && right.column.type ? commonType(left.column.type, right.column.type) : undefined;
    if (left.column.type && right.column.type && (!type || type.family === "opaque"))
      return reject(scope, "/right", {
        code: "function_not_applicable",
        message: `${left.column.type.name} and ${right.column.type.name} cannot be compared.`,
      });
    const cast = (index: number) => `CAST(c${index} AS ${type ? storageOf(type) : "VARCHAR"})`;
    return {
      columns: [check.left, check.right],
      failing: (context) =>
        failingRows(
          context,
          [textSql(`c${left.index}`, left.column), textSql(`c${right.index}`, right.column)],
          `NOT (${cast(left.index)} ${COMPARISONS[check.operator]} ${cast(right.index)})`,
        ),
    };
  },
};
