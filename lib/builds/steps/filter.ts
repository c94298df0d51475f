import { z } from "zod";
import { checkCondition } from "@/lib/builds/expressions/check";
import { expressionSchema } from "@/lib/builds/expressions/expression";
import { Layers } from "@/lib/builds/expressions/typed";
import { conditionsSql, planFilters } from "@/lib/builds/query-parts";
import { reject, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const filterSchema = z.strictObject({
  column: z.string(),
  operator: z.string(),
  value: z.unknown().optional(),
  ignore_case: z.boolean().optional(),
});
export const filtersSchema = z.array(filterSchema).min(1).max(50);

const schema = stepShape("filter", {
  filters: filtersSchema.optional(),
  where: expressionSchema.optional(),
  keep: z.enum(["matching", "other"]).default("matching"),
});

/** `other` keeps exactly the rows that `matching` would drop: those for which the condition is false or null. */
export const filter: StepKind<typeof schema._output> = {
  name: "filter",
  schema,
  english: ({ keep }) => (keep === "matching" ? "keeps the rows that match" : "drops the rows that match"),
  plan(step, input, scope) {
    if (step.filters === undefined && step.where === undefined)
      return reject(scope, "", { code: "invalid_request", message: "filter needs filters or where." });
    const conditions = step.filters ? planFilters(scope, input, step.filters, "/filters") : [];
    const where = step.where === undefined ? undefined : checkCondition(step.where, input, scope, "/where");
    if (!conditions || (step.where !== undefined && !where)) return undefined;
    return {
      relation: input,
      sql: {
        form: "rows",
        where: () => {
          const layers = new Layers("w");
          const parts = [conditionsSql(conditions), ...(where ? [where.emit({ layers }).sql] : [])];
          const test = step.keep === "matching" ? `(${parts.join(" AND ")})` : `((${parts.join(" AND ")}) IS NOT TRUE)`;
          return { test, layers: layers.rows };
        },
      },
    };
  },
};
