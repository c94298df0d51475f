import { z } from "zod";
import { literalSql } from "@/lib/builds/query-parts";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnSetSchema, resolveSet } from "./column-set";
import { mayBeText, projection, reject, rejectType, type StepKind } from "./step";
import { checkPattern, stepShape } from "./step-shape";

const schema = stepShape("replace", {
  columns: columnSetSchema,
  find: z.string().min(1).max(1000),
  with: z.string().max(1000),
  kind: z.enum(["text", "cell", "pattern"]).default("text"),
  ignore_case: z.boolean().default(false),
});

/** A pattern that matches only this string. */
export const escapedPattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** A literal replacement: a backslash would begin a group's number. */
const plainReplacement = (text: string): string => text.replaceAll("\\", "\\\\");

function replacedSql(x: string, step: typeof schema._output): string {
  if (step.kind === "cell") return cellSql(x, step);
  if (step.kind === "text" && !step.ignore_case)
    return `replace(${x}, ${literalSql(step.find, "VARCHAR")}, ${literalSql(step.with, "VARCHAR")})`;
  const pattern = step.kind === "pattern" ? step.find : escapedPattern(step.find);
  const replacement = step.kind === "pattern" ? step.with : plainReplacement(step.with);
  return (
    `regexp_replace(${x}, ${quoteLiteral(pattern)}, ${quoteLiteral(replacement)}, ` +
    `'${step.ignore_case ? "gi" : "g"}')`
  );
}

function cellSql(x: string, step: typeof schema._output): string {
  const [find, to] = [literalSql(step.find, "VARCHAR"), literalSql(step.with, "VARCHAR")];
  const isEqual = step.ignore_case ? `lower(${x}) = lower(${find})` : `${x} = ${find}`;
  return `CASE WHEN ${isEqual} THEN ${to} ELSE ${x} END`;
}

/** Replaces every match; with `cell`, only entire cells. Patterns are RE2, with \1 for groups. */
export const replace: StepKind<typeof schema._output> = {
  name: "replace",
  schema,
  english: ({ find, with: to }) => `replaces ${JSON.stringify(find)} by ${JSON.stringify(to)}`,
  plan(step, input, scope) {
    const found = resolveSet(scope, input, step.columns, "/columns");
    const isSound = step.kind !== "pattern" || checkPattern(scope, step.find, "/find");
    if (/\0/.test(step.find + step.with))
      return reject(scope, "/find", { code: "invalid_value", message: "U+0000 cannot be used." });
    const strange = found?.filter(({ column }) => !mayBeText(column)) ?? [];
    for (const { column } of strange) rejectType(scope, "/columns", column, "replace takes strings.");
    if (!found || !isSound || strange.length > 0) return undefined;
    const chosen = new Set(found.map(({ index }) => index));
    return projection(input, () =>
      input.columns.map((_, index) => (chosen.has(index) ? replacedSql(`c${index}`, step) : `c${index}`)),
    );
  },
};
