import { isLosslessNumber } from "lossless-json";
import { z } from "zod";
import { STRING } from "@/lib/builds/expressions/function-row";
import { patternGroups } from "@/lib/builds/patterns";
import { derivedColumn, type Relation } from "@/lib/builds/relation";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { columnNameSchema, numberSchema, patternSchema } from "@/lib/schemas/recipe-values";
import { insertedCells } from "./inserted-cells";
import { checkNewName } from "./rename";
import { findColumn, mayBeText, reject, rejectType, type Scope, type StepKind } from "./step";
import { checkPattern, listed, nameMap, onErrorSchema, stepShape } from "./step-shape";

const groupSchema = z.union([z.string().min(1).max(100), numberSchema]);
const schema = stepShape("extract", {
  column: columnNameSchema,
  pattern: patternSchema,
  into: nameMap(groupSchema, 50),
  keep: z.boolean().default(true),
  required: z.boolean().default(false),
  on_error: onErrorSchema,
});

/** A group's number by its name or number; undefined if the pattern has no such group. */
export function groupNumber(pattern: string, group: z.output<typeof groupSchema>): number | undefined {
  const groups = patternGroups(pattern);
  const number = isLosslessNumber(group) ? wholeNumber(group.value) : groups.indexOf(String(group)) + 1 || undefined;
  return number !== undefined && number >= 0 && number <= groups.length ? number : undefined;
}

/** Groups of a pattern become columns. Without a match they are null or, with `required`, the cell is an error. */
export const extract: StepKind<typeof schema._output> = {
  name: "extract",
  schema,
  english: ({ column, into }) => `extracts ${listed(Object.keys(into))} from ${JSON.stringify(column)}`,
  plan(step, input, scope) {
    const found = findColumn(scope, input, step.column, "/column");
    if (!checkPattern(scope, step.pattern, "/pattern") || !found) return undefined;
    if (!mayBeText(found.column)) return rejectType(scope, "/column", found.column, "extract takes strings.");
    const groups = groupsOf(step, scope);
    if (!groups) return undefined;
    const literal = quoteLiteral(step.pattern);
    return insertedCells(input, scope, {
      index: found.index,
      keepsCell: step.keep,
      columns: groups.map(({ name }) =>
        derivedColumn(name, STRING, [found.column], { step: scope.step, kind: "parsed" }),
      ),
      values: (ref) =>
        groups.map(
          ({ number }) =>
            `CASE WHEN regexp_matches(${ref}, ${literal}) THEN regexp_extract(${ref}, ${literal}, ${number}) END`,
        ),
      at: (index) => `/into/${groups[index]?.name}`,
      rejects: (ref, relation: Relation) =>
        step.required && relation.columns.length > 0
          ? [
              {
                column: step.column,
                onError: step.on_error,
                test: `${ref} IS NOT NULL AND NOT regexp_matches(${ref}, ${literal})`,
                text: ref,
                reason: `does not match ${step.pattern}`,
              },
            ]
          : [],
    });
  },
};

function groupsOf(step: typeof schema._output, scope: Scope): { name: string; number: number }[] | undefined {
  const groups = Object.entries(step.into).map(([name, group]) => {
    const number = groupNumber(step.pattern, group);
    if (number === undefined)
      return reject(scope, `/into/${name}`, { code: "invalid_value", message: "The pattern has no such group." });
    return checkNewName(scope, name, `/into/${name}`) ? { name, number } : undefined;
  });
  return groups.every((group) => group !== undefined) ? groups : undefined;
}
