import { INT64 } from "@/lib/builds/expressions/function-row";
import { derivedColumn } from "@/lib/builds/relation";
import { columnNameSchema, wholeSchema } from "@/lib/schemas/recipe-values";
import { checkNewName } from "./rename";
import { cellList, checkUnique, findColumns, type StepKind } from "./step";
import { nameList, stepShape } from "./step-shape";

const schema = stepShape("number", {
  as: columnNameSchema,
  start: wholeSchema(0, 1_000_000_000).default(1),
  within: nameList(8).optional(),
});

/** Row numbers in order, restarting in each group of `within`. */
export const number: StepKind<typeof schema._output> = {
  name: "number",
  schema,
  english: ({ as, within }) =>
    `numbers the rows as ${JSON.stringify(as)}${within ? ` within ${within.join(", ")}` : ""}`,
  plan(step, input, scope) {
    const within = step.within ? findColumns(scope, input, step.within, "/within") : [];
    const column = {
      ...derivedColumn(step.as, INT64, [], { step: scope.step, kind: "derived" }),
      kind: "derived" as const,
    };
    const columns = [...input.columns, column];
    const isNamed =
      checkNewName(scope, step.as, "/as") &&
      checkUnique(
        scope,
        columns.map(({ name }) => name),
        () => "/as",
      );
    if (!within || !isNamed) return undefined;
    const groups = within.length > 0 ? `PARTITION BY ${within.map(({ index }) => `c${index}`).join(", ")} ` : "";
    const nth = `row_number() OVER (${groups}ORDER BY p) + ${step.start - 1} AS c${input.columns.length}`;
    return {
      relation: { columns, isOpen: input.isOpen },
      sql: { form: "query", sql: (from) => `SELECT ${cellList(input)}, ${nth}, o FROM ${from} ORDER BY p` },
    };
  },
};
