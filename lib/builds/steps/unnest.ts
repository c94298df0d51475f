import { z } from "zod";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { unnested } from "./split";
import { findColumn, reject, rejectType, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const schema = stepShape("unnest", {
  column: columnNameSchema,
  as: columnNameSchema.optional(),
  position: columnNameSchema.optional(),
  empty: z.enum(["drop", "null"]).default("null"),
});

/** One row for each item of a list or a JSON array. JSON items remain JSON. */
export const unnest: StepKind<typeof schema._output> = {
  name: "unnest",
  schema,
  english: ({ column, empty }) =>
    `turns each item of ${JSON.stringify(column)} into a row${empty === "drop" ? ", with none for an empty list" : ""}`,
  plan(step, input, scope) {
    const found = findColumn(scope, input, step.column, "/column");
    if (!found) return undefined;
    const { type, storage } = found.column;
    const json = type?.json.kind === "any";
    if (type && !type.item && !json)
      return rejectType(scope, "/column", found.column, "unnest takes lists and JSON arrays.");
    const item = type?.item ?? parseColumnType("json");
    if (!item) return reject(scope, "/column", { code: "invalid_value", message: "It has no items." });
    const array = (ref: string) => `CASE WHEN json_type(${ref}) = 'ARRAY' THEN from_json(${ref}, '["JSON"]') END`;
    return unnested(input, scope, found, {
      list: (ref) => (json ? array(ref) : ref),
      item,
      ...(!json && storage.endsWith("[]") && { storage: storage.slice(0, -2) }),
      name: step.as ?? step.column,
      position: step.position,
      keepsEmpty: step.empty === "null",
    });
  },
};
