import { z } from "zod";
import { conditionsSql, planFilters } from "@/lib/builds/query-parts";
import { scalarSchema } from "@/lib/schemas/recipe-values";
import { columnSetSchema, resolveSet } from "./column-set";
import { projection, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const schema = stepShape("null_if", { columns: columnSetSchema, values: z.array(scalarSchema).min(1).max(200) });

/** Values are compared as in filters: numbers by their digits, strings exactly. */
export const nullIf: StepKind<typeof schema._output> = {
  name: "null_if",
  schema,
  english: ({ values }) => `replaces ${values.length === 1 ? "one value" : `${values.length} values`} with null`,
  plan(step, input, scope) {
    const found = resolveSet(scope, input, step.columns, "/columns");
    if (!found) return undefined;
    const conditions = found.map(({ column }) =>
      column.type
        ? step.values.map((value, at) =>
            planFilters(
              { ...scope, pointer: `${scope.pointer}/values/${at}` },
              input,
              [{ column: column.name, operator: "eq", value }],
              "",
            ),
          )
        : [],
    );
    if (!conditions.every((each) => each.every((condition) => condition !== undefined))) return undefined;
    const byIndex = new Map(found.map(({ index }, at) => [index, conditions[at] ?? []]));
    return projection(input, () =>
      input.columns.map((_, index) => {
        const tests = byIndex.get(index)?.map((condition) => conditionsSql(condition ?? [])) ?? [];
        return tests.length === 0 ? `c${index}` : `CASE WHEN ${tests.join(" OR ")} THEN NULL ELSE c${index} END`;
      }),
    );
  },
};
