import { z } from "zod";
import { commonType } from "@/lib/builds/relation";
import { textSql } from "@/lib/builds/steps/cell-rule";
import { findColumns, reject } from "@/lib/builds/steps/step";
import { listed, nameList } from "@/lib/builds/steps/step-shape";
import { recipeNameSchema } from "@/lib/schemas/recipe-values";
import { type CheckKind, checkShape, failingRows } from "./check";

const uniqueSchema = checkShape("unique", { columns: nameList(16) });

/** Finds rows that repeat the values of an earlier row. A null equals nothing. */
export const unique: CheckKind<typeof uniqueSchema._output> = {
  name: "unique",
  schema: uniqueSchema,
  english: ({ columns }) => `no two rows share ${listed(columns)}`,
  plan(check, input, scope) {
    const found = findColumns(scope, input, check.columns, "/columns");
    if (!found) return undefined;
    const keys = found.map(({ index }) => `c${index}`);
    const present = keys.map((key) => `${key} IS NOT NULL`).join(" AND ");
    return {
      columns: check.columns,
      failing: (context) => {
        const numbered =
          `(SELECT *, row_number() OVER (PARTITION BY ${keys.join(", ")} ORDER BY p) AS ` +
          `nth FROM ${context.rows} WHERE ${present})`;
        return failingRows(
          { ...context, rows: numbered },
          found.map(({ index, column }) => textSql(`c${index}`, column)),
          "nth > 1",
        );
      },
    };
  },
};

const referencesSchema = checkShape("references", {
  columns: nameList(8),
  to: z.strictObject({ table: recipeNameSchema.optional(), source: recipeNameSchema.optional(), columns: nameList(8) }),
});

/** Every row's values must exist in the other relation. A null refers to nothing. */
export const references: CheckKind<typeof referencesSchema._output> = {
  name: "references",
  schema: referencesSchema,
  english: ({ columns, to }) =>
    `${listed(columns)} ${columns.length === 1 ? "is" : "are"} found in ${to.table ?? to.source}`,
  plan(check, input, scope) {
    const name = check.to.table ?? check.to.source;
    if (name === undefined || (check.to.table !== undefined && check.to.source !== undefined))
      return reject(scope, "/to", {
        code: "invalid_request",
        message: "Give exactly one of table and source.",
        allowed: ["table", "source"],
      });
    if (!scope.relations.has(name))
      return reject(scope, "/to/table", {
        code: "invalid_value",
        message: `There is no source or earlier table ${JSON.stringify(name)}.`,
        allowed: [...scope.relations.keys()],
      });
    if (check.columns.length !== check.to.columns.length)
      return reject(scope, "/to/columns", {
        code: "invalid_value",
        message: "The two sides have different numbers of columns. Name as many here.",
      });
    const other = scope.relations.get(name);
    const found = findColumns(scope, input, check.columns, "/columns");
    const right = other && findColumns(scope, other, check.to.columns, "/to/columns");
    if (!found || (other && !right)) return undefined;
    for (const [at, { column }] of found.entries()) {
      const to = right?.[at]?.column.type;
      if (column.type && to && !commonType(column.type, to))
        return reject(scope, `/to/columns/${at}`, {
          code: "function_not_applicable",
          message: `${column.type.name} and ${to.name} cannot be compared.`,
        });
    }
    return {
      columns: check.columns,
      failing: (context) => {
        const { table, relation } = context.other(name);
        const pairs = found.map(({ index }, at) => {
          const place = relation.columns.findIndex((column) => column.name === check.to.columns[at]);
          return `other.c${place} = mine.c${index}`;
        });
        const present = found.map(({ index }) => `mine.c${index} IS NOT NULL`);
        const values = found.map(({ index, column }) => `CAST(${textSql(`mine.c${index}`, column)} AS VARCHAR)`);
        return (
          `SELECT mine.p + 1 AS r, ${values.join(", ")} FROM ${context.rows} AS mine WHERE ` +
          `${present.join(" AND ")} AND NOT EXISTS (SELECT 1 FROM ${table} AS other WHERE ` +
          `${pairs.join(" AND ")}) ORDER BY mine.p`
        );
      },
    };
  },
};
