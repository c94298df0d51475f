import { z } from "zod";
import { columnSetSchema, resolveSet } from "./column-set";
import { setText } from "./drop";
import { findColumns, type StepKind } from "./step";
import { nameList, stepShape } from "./step-shape";

const schema = stepShape("fill", {
  columns: columnSetSchema,
  direction: z.enum(["down", "up"]),
  within: nameList(8).optional(),
});

/** Nulls take the nearest value above or below, inside groups of equal `within`. */
export const fill: StepKind<typeof schema._output> = {
  name: "fill",
  schema,
  english: ({ columns, direction }) =>
    `fills nulls of ${setText(columns)} from ${direction === "down" ? "above" : "below"}`,
  plan(step, input, scope) {
    const found = resolveSet(scope, input, step.columns, "/columns");
    const within = step.within ? findColumns(scope, input, step.within, "/within") : [];
    if (!found || !within) return undefined;
    const chosen = new Set(found.map(({ index }) => index));
    const groups = within.length > 0 ? `PARTITION BY ${within.map(({ index }) => `c${index}`).join(", ")} ` : "";
    const nearest =
      step.direction === "down"
        ? (ref: string) => `last_value(${ref} IGNORE NULLS) OVER (${groups}ORDER BY p)`
        : (ref: string) =>
            `first_value(${ref} IGNORE NULLS) OVER (${groups}ORDER BY p ROWS BETWEEN CURRENT ROW AND ` +
            `UNBOUNDED FOLLOWING)`;
    const cells = input.columns.map(
      (_, index) => `${chosen.has(index) ? nearest(`c${index}`) : `c${index}`} AS c${index}`,
    );
    return {
      relation: input,
      sql: { form: "query", sql: (from) => `SELECT ${cells.join(", ")}, o FROM ${from} ORDER BY p` },
    };
  },
};
