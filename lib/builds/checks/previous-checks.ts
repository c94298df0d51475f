import { textSql } from "@/lib/builds/steps/cell-rule";
import { findColumn } from "@/lib/builds/steps/step";
import { quoteIdentifier } from "@/lib/engine/sql/identifier";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { type CheckKind, checkShape } from "./check";

const keepsSchema = checkShape("keeps_rows", {});

/** No row of the current release may be lost. Rows are compared by the columns that both have. */
export const keepsRows: CheckKind<typeof keepsSchema._output> = {
  name: "keeps_rows",
  schema: keepsSchema,
  english: () => "no row of the current release is lost",
  plan(_check, input) {
    return {
      columns: input.columns.map(({ name }) => name),
      needs: "previous",
      failing: ({ rows, previous }) => {
        const known = input.columns.flatMap((column, index) =>
          previous?.columns.includes(column.name) ? [{ column, index }] : [],
        );
        const before = known.map(
          ({ column, index }) => `TRY_CAST(${quoteIdentifier(column.name)} AS ${column.storage}) AS c${index}`,
        );
        const now = known.map(({ index }) => `c${index}`);
        const shown = input.columns.map((column, index) =>
          known.some((each) => each.index === index)
            ? `CAST(${textSql(`c${index}`, column)} AS VARCHAR)`
            : "CAST(NULL AS VARCHAR)",
        );
        return (
          `SELECT NULL AS r, ${shown.join(", ")} FROM (SELECT ${before.join(", ")} FROM ` +
          `${previous?.sql} EXCEPT SELECT ${now.join(", ")} FROM ${rows}) ORDER BY ALL`
        );
      },
    };
  },
};

const newValuesSchema = checkShape("new_values", { column: columnNameSchema });

/** Values that the current release did not have. */
export const newValues: CheckKind<typeof newValuesSchema._output> = {
  name: "new_values",
  schema: newValuesSchema,
  english: ({ column }) => `${JSON.stringify(column)} has no value that the current release does not have`,
  plan(check, input, scope) {
    const found = findColumn(scope, input, check.column, "/column");
    return (
      found && {
        columns: [check.column],
        needs: "previous",
        failing: ({ rows, previous }) => {
          const before = previous?.columns.includes(check.column)
            ? `SELECT TRY_CAST(${quoteIdentifier(check.column)} AS ${found.column.storage}) FROM ${previous.sql}`
            : "SELECT NULL WHERE FALSE";
          return (
            `SELECT NULL AS r, CAST(${textSql(`c${found.index}`, found.column)} AS VARCHAR) FROM ` +
            `(SELECT DISTINCT c${found.index} FROM ${rows} WHERE c${found.index} IS NOT NULL EXCEPT ` +
            `${before}) ORDER BY 2`
          );
        },
      }
    );
  },
};
