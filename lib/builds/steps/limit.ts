import { wholeSchema } from "@/lib/schemas/recipe-values";
import { cellList, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const ROWS_MAX = 1_000_000_000;
const schema = stepShape("limit", { rows: wholeSchema(0, ROWS_MAX), offset: wholeSchema(0, ROWS_MAX).default(0) });

export const limit: StepKind<typeof schema._output> = {
  name: "limit",
  schema,
  english: ({ rows, offset }) => `keeps ${rows} rows${offset > 0 ? ` after the first ${offset}` : ""}`,
  plan: ({ rows, offset }, input) => ({
    relation: input,
    sql: {
      form: "query",
      sql: (from) => `SELECT ${cellList(input)}, o FROM ${from} ORDER BY p LIMIT ${rows} OFFSET ${offset}`,
    },
  }),
};
