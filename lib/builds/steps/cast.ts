import { z } from "zod";
import { derivedColumn } from "@/lib/builds/relation";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { castRule, type RuledColumn, ruledProjection } from "./cell-rule";
import { findColumn, reject, type StepKind } from "./step";
import { nameMap, onErrorSchema, stepShape } from "./step-shape";

const schema = stepShape("cast", { columns: nameMap(z.string().max(200)), on_error: onErrorSchema });

/** Casts are exact: `1.5` to int64 is an error, and so is every value that does not survive a round trip. */
export const cast: StepKind<typeof schema._output> = {
  name: "cast",
  schema,
  english: ({ columns }) =>
    `casts ${Object.entries(columns)
      .map(([name, type]) => `${JSON.stringify(name)} to ${type}`)
      .slice(0, 6)
      .join(", ")}`,
  plan(step, input, scope) {
    const ruled = Object.entries(step.columns).map(([name, typeName]): RuledColumn | undefined => {
      const at = `/columns${pointerTo(name)}`;
      const type = parseColumnType(typeName);
      const found = findColumn(scope, input, name, at);
      if (!type)
        return reject(scope, at, { code: "invalid_value", message: `Unknown type ${JSON.stringify(typeName)}.` });
      if (!found) return undefined;
      const rule = castRule(found.column, type);
      if (!rule || !type.duckdb)
        return reject(scope, at, {
          code: "function_not_applicable",
          message:
            `${JSON.stringify(name)} is of type ${found.column.type?.name}, which cannot be cast ` + `to ${type.name}.`,
        });
      return { found, rule, result: derivedColumn(name, type, [found.column], { step: scope.step, kind: "parsed" }) };
    });
    return ruled.every((each) => each !== undefined) ? ruledProjection(input, ruled, step.on_error) : undefined;
  },
};
