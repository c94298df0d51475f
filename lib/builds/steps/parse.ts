import { z } from "zod";
import { booleanFormatSchema, booleanRule } from "@/lib/builds/formats/boolean-format";
import { dateFormatFault, dateFormatSchema, dateRule, type TimeKind } from "@/lib/builds/formats/date-format";
import { ENGLISH } from "@/lib/builds/formats/month-names";
import { numberFormatSchema, numberRule } from "@/lib/builds/formats/number-format";
import { literalSql } from "@/lib/builds/query-parts";
import { derivedColumn } from "@/lib/builds/relation";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { type CellRule, castRule, ruledProjection } from "./cell-rule";
import { columnSetSchema, resolveSet } from "./column-set";
import { setText } from "./drop";
import { mayBeText, reject, rejectType, type Scope, type StepKind } from "./step";
import { onErrorSchema, stepShape } from "./step-shape";

const schema = stepShape("parse", {
  columns: columnSetSchema,
  as: z.string().max(200),
  number: numberFormatSchema.optional(),
  date: dateFormatSchema.optional(),
  boolean: booleanFormatSchema.optional(),
  null_tokens: z.array(z.string().max(100)).max(50).default([]),
  on_error: onErrorSchema,
});
type Parse = typeof schema._output;

/** Reads text by formats. Without a format, numbers are plain digits, and other types as in declared columns. */
export const parse: StepKind<Parse> = {
  name: "parse",
  schema,
  english: ({ columns, as }) => `reads the columns ${setText(columns)} as ${as}`,
  plan(step, input, scope) {
    const type = parseColumnType(step.as);
    if (!type?.duckdb)
      return reject(scope, "/as", {
        code: "invalid_value",
        message: `Unknown type ${JSON.stringify(step.as)}, or a type that cannot be read from text.`,
      });
    const found = resolveSet(scope, input, step.columns, "/columns");
    const rule = ruleOf(step, type, scope);
    const strange = found?.filter(({ column }) => !mayBeText(column)) ?? [];
    for (const { column } of strange) rejectType(scope, "/columns", column, "parse takes strings. Use cast.");
    if (!found || !rule || strange.length > 0) return undefined;
    const whole = withNulls(rule, step.null_tokens);
    const ruled = found.map((each) => ({
      found: each,
      rule: whole,
      result: derivedColumn(each.column.name, type, [each.column], { step: scope.step, kind: "parsed" }),
    }));
    return ruledProjection(input, ruled, step.on_error);
  },
};

function ruleOf(step: Parse, type: ColumnType, scope: Scope): CellRule | undefined {
  const isNumber = type.number !== undefined;
  const kind = ["date", "time", "timestamp"].includes(type.name) ? (type.name as TimeKind) : undefined;
  const misplaced = (["number", "date", "boolean"] as const).find(
    (key) => step[key] !== undefined && !fitsKey(key, type, kind),
  );
  if (misplaced !== undefined)
    return reject(scope, `/${misplaced}`, {
      code: "invalid_value",
      message: `${misplaced} is not a format for type ${type.name}.`,
    });
  if (isNumber)
    return (
      numberRule(step.number ?? numberFormatSchema.parse({}), type) ??
      reject(scope, "/as", { code: "invalid_value", message: "Text cannot be read as this type." })
    );
  if (step.date && kind) return dateRuleOf(step.date, kind, scope);
  if (step.boolean) return booleanRule(step.boolean);
  const text = {
    name: "",
    type: parseColumnType("string"),
    storage: "VARCHAR",
    from: [],
    steps: [],
    kind: "copied",
  } as const;
  return (
    castRule(text, type) ??
    reject(scope, "/as", { code: "invalid_value", message: `Text cannot be read as ${type.name}.` })
  );
}

const fitsKey = (key: "number" | "date" | "boolean", type: ColumnType, kind: TimeKind | undefined): boolean =>
  key === "number" ? type.number !== undefined : key === "date" ? kind !== undefined : type.family === "boolean";

function dateRuleOf(format: NonNullable<Parse["date"]>, kind: TimeKind, scope: Scope): CellRule | undefined {
  const fault = dateFormatFault(format, kind);
  if (fault) return reject(scope, `/date${fault.at}`, { code: "invalid_value", message: fault.message });
  return dateRule(format, kind, format.locale === undefined ? ENGLISH : scope.monthsOf(format.locale));
}

/** Cells that mean null are neither values nor errors. */
function withNulls(rule: CellRule, tokens: readonly string[]): CellRule {
  if (tokens.length === 0) return rule;
  const isValue = (ref: string) =>
    `trim(${ref}) NOT IN (${tokens.map((token) => literalSql(token, "VARCHAR")).join(", ")})`;
  return {
    ...rule,
    value: (ref) => `CASE WHEN ${isValue(ref)} THEN ${rule.value(ref)} END`,
    isBad: (ref, value) => `(${isValue(ref)} AND ${rule.isBad(ref, value)})`,
  };
}
