import { z } from "zod";
import type { Relation } from "@/lib/builds/relation";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { cellList, findColumn, rejectType, type Scope, type StepKind } from "./step";
import { stepShape } from "./step-shape";

export const orderSchema = z
  .array(z.strictObject({ column: columnNameSchema, direction: z.enum(["asc", "desc"]).default("asc") }))
  .min(1)
  .max(8);
export type Order = z.output<typeof orderSchema>;

const schema = stepShape("sort", { by: orderSchema });

/** Order keys as SQL, with nulls last in both directions. Undefined if a column has no order. */
export function orderKeys(scope: Scope, input: Relation, order: Order, at: string): string[] | undefined {
  const keys = order.map(({ column: name, direction }, index) => {
    const found = findColumn(scope, input, name, `${at}/${index}/column`);
    if (found?.column.type?.family === "opaque")
      return rejectType(scope, `${at}/${index}/column`, found.column, "It has no order.");
    return found && `c${found.index} ${direction.toUpperCase()} NULLS LAST`;
  });
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

/** A sort loses the sign of float zeros, so such keys are also read separately. */
export const sort: StepKind<typeof schema._output> = {
  name: "sort",
  schema,
  english: ({ by }) =>
    `sorts by ${by.map(({ column, direction }) => `${JSON.stringify(column)} ${direction}`).join(", ")}`,
  plan(step, input, scope) {
    const keys = orderKeys(scope, input, step.by, "/by");
    return (
      keys && {
        relation: input,
        sql: {
          form: "query",
          sql: (from) => `SELECT ${cellList(input)}, o FROM ${from} ORDER BY ${keys.join(", ")}, p`,
        },
      }
    );
  },
};
