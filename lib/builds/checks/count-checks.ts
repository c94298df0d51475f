import { z } from "zod";
import { findColumn, reject } from "@/lib/builds/steps/step";
import { columnNameSchema, percentSchema, wholeSchema } from "@/lib/schemas/recipe-values";
import { type CheckKind, checkShape } from "./check";

/** `at least 2 and at most 5`. */
export const boundText = (min: unknown, max: unknown): string =>
  [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])].join(" and ");

const rowCountSchema = checkShape("row_count", {
  min: wholeSchema(0, 2 ** 52).optional(),
  max: wholeSchema(0, 2 ** 52).optional(),
});

export const rowCount: CheckKind<typeof rowCountSchema._output> = {
  name: "row_count",
  schema: rowCountSchema,
  english: ({ min, max }) =>
    Number(max ?? min) === 1 ? `there is ${boundText(min, max)} row` : `there are ${boundText(min, max)} rows`,
  plan(check, _input, scope) {
    if (check.min === undefined && check.max === undefined)
      return reject(scope, "", { code: "invalid_request", message: "row_count needs min or max." });
    if (check.min !== undefined && check.max !== undefined && check.min > check.max)
      return reject(scope, "/max", { code: "invalid_value", message: "max is less than min." });
    const tests = [
      ...(check.min === undefined ? [] : [`n < ${check.min}`]),
      ...(check.max === undefined ? [] : [`n > ${check.max}`]),
    ];
    return {
      columns: ["rows"],
      needs: "whole",
      failing: ({ rows }) =>
        `SELECT NULL AS r, CAST(n AS VARCHAR) FROM (SELECT count(*) AS n FROM ${rows}) WHERE ${tests.join(" OR ")}`,
    };
  },
};

const changeSchema = checkShape("row_count_change", { fall: percentSchema.optional(), rise: percentSchema.optional() });

/** A percentage as an exact decimal. */
const percentSql = (percent: string): string => `CAST('${percent.slice(0, -1)}' AS DECIMAL(12,6))`;

export const rowCountChange: CheckKind<typeof changeSchema._output> = {
  name: "row_count_change",
  schema: changeSchema,
  english: ({ fall, rise }) => {
    const parts = [
      ...(fall === undefined ? [] : [`fall by at most ${fall}`]),
      ...(rise ? [`rise by at most ${rise}`] : []),
    ];
    return `compared with the current release, rows ${parts.join(" and ")}`;
  },
  plan(check, _input, scope) {
    if (check.fall === undefined && check.rise === undefined)
      return reject(scope, "", { code: "invalid_request", message: "row_count_change needs fall or rise." });
    const tests = [
      ...(check.fall === undefined ? [] : [`n * 100 < before * (100 - ${percentSql(check.fall)})`]),
      ...(check.rise === undefined ? [] : [`n * 100 > before * (100 + ${percentSql(check.rise)})`]),
    ];
    return {
      columns: ["before", "rows"],
      needs: "previous",
      failing: ({ rows, previous }) =>
        `SELECT NULL AS r, CAST(before AS VARCHAR), CAST(n AS VARCHAR) FROM (SELECT (SELECT count(*) ` +
        `FROM ${previous?.sql}) AS before, (SELECT count(*) FROM ${rows}) AS n) WHERE before > 0 AND ` +
        `(${tests.join(" OR ")})`,
    };
  },
};

const nullShareSchema = checkShape("null_share", {
  column: columnNameSchema,
  max: z.string().regex(/^(?:100|\d{1,2}(?:\.\d{1,6})?)%$/, 'Use a share such as "15%".'),
});

export const nullShare: CheckKind<typeof nullShareSchema._output> = {
  name: "null_share",
  schema: nullShareSchema,
  english: ({ column, max }) => `at most ${max} of ${JSON.stringify(column)} are null`,
  plan(check, input, scope) {
    const found = findColumn(scope, input, check.column, "/column");
    return (
      found && {
        columns: [check.column],
        limit: check.max,
        failing: ({ rows }) =>
          `SELECT p + 1 AS r, CAST(NULL AS VARCHAR) FROM ${rows} WHERE c${found.index} IS NULL ORDER BY p`,
      }
    );
  },
};
