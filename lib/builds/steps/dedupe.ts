import { z } from "zod";
import { orderKeys, orderSchema } from "./sort";
import { cellList, type Found, findColumns, type Guard, type StepKind } from "./step";
import { listed, nameList, stepShape } from "./step-shape";

const schema = stepShape("dedupe", {
  keys: nameList(16)
    .optional()
    .describe("Default: all columns, so that only rows that are equal in every column are merged."),
  keep: z
    .enum(["first", "last", "error"])
    .default("first")
    .describe("error: differing rows with the same key end the run."),
  order: orderSchema.optional(),
});

/** One row per key, chosen by `order`, then by position. Nulls are equal to each other here. */
export const dedupe: StepKind<typeof schema._output> = {
  name: "dedupe",
  schema,
  english: ({ keys, keep }) =>
    `keeps ${keep === "last" ? "the last" : "one"} row of each ${keys ? listed(keys) : "set of equal rows"}`,
  plan(step, input, scope) {
    const all = input.columns.map((column, index) => ({ column, index }));
    const keys = step.keys ? findColumns(scope, input, step.keys, "/keys") : all;
    const order = step.order ? orderKeys(scope, input, step.order, "/order") : [];
    if (!keys || !order) return undefined;
    const cells = keys.map(({ index }) => `c${index}`);
    const by = step.keep === "last" ? [...order.map(reversed), "p DESC"] : [...order, "p"];
    const nth = `row_number() OVER (PARTITION BY ${cells.join(", ")} ORDER BY ${by.join(", ")})`;
    const sql = (from: string) => `SELECT ${cellList(input)}, o FROM ${from} QUALIFY ${nth} = 1 ORDER BY p`;
    return {
      relation: input,
      sql: { form: "query", sql, ...(step.keep === "error" && { guards: [sameGuard(keys, cellList(input))] }) },
    };
  },
};

const reversed = (key: string): string =>
  key.includes(" ASC ")
    ? key.replace(" ASC NULLS LAST", " DESC NULLS FIRST")
    : key.replace(" DESC NULLS LAST", " ASC NULLS FIRST");

/** Rows with the same key must be equal in all columns. */
function sameGuard(keys: readonly Found[], all: string): Guard {
  const cells = keys.map(({ index }) => `c${index}`);
  const shown = cells.map((cell) => `CAST(${cell} AS VARCHAR)`).join(", ");
  return {
    code: "key_violation",
    sql: (from) =>
      `SELECT ${shown} FROM (SELECT DISTINCT ${all} FROM ${from}) ` +
      `GROUP BY ${cells.join(", ")} HAVING count(*) > 1 ORDER BY ALL LIMIT 1`,
    message: (values) =>
      `Different rows share a key: ` +
      `${keys.map(({ column }, at) => `${JSON.stringify(column.name)} ${values[at]}`).join(", ")}. ` +
      "Use keep and order to say which one is kept.",
  };
}
