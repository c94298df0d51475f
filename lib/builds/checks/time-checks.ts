import { z } from "zod";
import { intervalSql, isOfMonths, yearsOf } from "@/lib/builds/durations";
import { literalSql } from "@/lib/builds/query-parts";
import { textSql } from "@/lib/builds/steps/cell-rule";
import { findColumn, findColumns, reject, rejectType } from "@/lib/builds/steps/step";
import { nameList } from "@/lib/builds/steps/step-shape";
import { durationText } from "@/lib/kernel/duration-text";
import { columnNameSchema, durationSchema, wholeSchema } from "@/lib/schemas/recipe-values";
import { type CheckKind, checkShape } from "./check";

const freshnessSchema = checkShape("freshness_of_column", { column: columnNameSchema, max_age: durationSchema });

/** Compared with the start of the run. */
export const freshnessOfColumn: CheckKind<typeof freshnessSchema._output> = {
  name: "freshness_of_column",
  schema: freshnessSchema,
  english: ({ column, max_age: age }) => `the newest ${JSON.stringify(column)} is at most ${durationText(age)} old`,
  plan(check, input, scope) {
    const found = findColumn(scope, input, check.column, "/column");
    if (found?.column.type && !["date", "timestamp"].includes(found.column.type.name))
      return rejectType(scope, "/column", found.column, "Name a date or timestamp.");
    return (
      found && {
        columns: [check.column],
        failing: ({ rows, now }) => {
          const newest = `CAST(newest AS TIMESTAMP) + ${intervalSql(check.max_age)}`;
          return (
            `SELECT NULL AS r, CAST(newest AS VARCHAR) FROM (SELECT max(c${found.index}) AS newest ` +
            `FROM ${rows}) WHERE newest IS NOT NULL AND ${newest} < ` +
            `${literalSql(now.replace("Z", ""), "TIMESTAMP")}`
          );
        },
      }
    );
  },
};

const seriesSchema = checkShape("complete_series", {
  column: columnNameSchema,
  every: z.union([durationSchema, wholeSchema(1, 1_000_000)]),
  within: nameList(8).optional(),
});

/**
 * There must be no gap between the smallest and the largest value. A gap is a failure, named by the values around it.
 */
export const completeSeries: CheckKind<typeof seriesSchema._output> = {
  name: "complete_series",
  schema: seriesSchema,
  english: ({ column, every, within }) => {
    const span = typeof every === "number" ? every : durationText(every);
    return `${JSON.stringify(column)} advances by ${span} without gaps${within ? ` in each ${within.join(", ")}` : ""}`;
  },
  plan(check, input, scope) {
    const found = findColumn(scope, input, check.column, "/column");
    const within = check.within ? findColumns(scope, input, check.within, "/within") : [];
    if (!found || !within) return undefined;
    const isNumber = found.column.type?.number !== undefined && !found.column.type.number.isFloat;
    const count = typeof check.every === "number" ? check.every : yearsOf(check.every);
    if (found.column.type && isNumber && count === undefined)
      return reject(scope, "/every", {
        code: "invalid_value",
        message: "For numbers, use a whole number or whole years, such as P1Y.",
      });
    if (
      found.column.type &&
      !isNumber &&
      (typeof check.every === "number" || !["date", "timestamp"].includes(found.column.type.name))
    )
      return rejectType(scope, "/column", found.column, "Name an integer, or a date or timestamp with a duration.");
    const groups = within.map(({ index }) => `c${index}`);
    const value = `c${found.index}`;
    const isNext = isNumber ? `following = ${value} + ${count}` : isTimeAfter(value, "following", String(check.every));
    const over = `OVER (${groups.length > 0 ? `PARTITION BY ${groups.join(", ")} ` : ""}ORDER BY ${value})`;
    return {
      columns: [...(check.within ?? []), check.column, "next"],
      needs: "whole",
      failing: ({ rows }) => {
        const distinct = `(SELECT DISTINCT ${[...groups, value].join(", ")} FROM ${rows} WHERE ${value} IS NOT NULL)`;
        const followed = `(SELECT *, lead(${value}) ${over} AS following FROM ${distinct})`;
        const shown = [
          ...within.map(({ index, column }) => textSql(`c${index}`, column)),
          textSql(value, found.column),
          textSql("following", found.column),
        ];
        return (
          `SELECT NULL AS r, ${shown.map((sql) => `CAST(${sql} AS VARCHAR)`).join(", ")} FROM ` +
          `${followed} WHERE following IS NOT NULL AND NOT (${isNext}) ORDER BY ` +
          `${[...groups, value].join(", ")}`
        );
      },
    };
  },
};

/**
 * SQL: whether a time is a duration after another. For durations of months, a month's last day is also followed by
 * later days of the month: 28 February, which can stand for the 31st, by 31 March.
 */
function isTimeAfter(value: string, following: string, duration: string): string {
  const [at, after] = [value, following].map((ref) => `CAST(${ref} AS TIMESTAMP)`);
  const next = `(${at} + ${intervalSql(duration)})`;
  if (!isOfMonths(duration)) return `${after} = ${next}`;
  return (
    `${after} = ${next} OR (last_day(${at}) = CAST(${at} AS DATE) AND ${after} > ${next} AND ` +
    `last_day(${after}) = last_day(${next}) AND CAST(${after} AS TIME) = CAST(${next} AS TIME))`
  );
}
