import { z } from "zod";
import { derivedColumn, storageOf } from "@/lib/builds/relation";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { declaredRule } from "@/lib/readers/typed/cell-types";
import { columnNameSchema, pointerSchema } from "@/lib/schemas/recipe-values";
import { textSql } from "./cell-rule";
import { insertedCells } from "./inserted-cells";
import { checkNewName } from "./rename";
import { findColumn, reject, rejectType, type Scope, type StepKind } from "./step";
import { listed, nameMap, onErrorSchema, stepShape } from "./step-shape";

const fieldSchema = z.strictObject({ at: pointerSchema, type: z.string().max(200) });
const schema = stepShape("flatten", {
  column: columnNameSchema,
  fields: nameMap(fieldSchema, 200),
  keep: z.boolean().default(false),
  on_error: onErrorSchema,
});
type Flatten = typeof schema._output;

/**
 * Members of JSON become columns. Digits beyond a double's precision are lost here; the reader's `fields` keep them.
 */
export const flatten: StepKind<Flatten> = {
  name: "flatten",
  schema,
  english: ({ column, fields }) => `extracts ${listed(Object.keys(fields))} from ${JSON.stringify(column)}`,
  plan(step, input, scope) {
    const found = findColumn(scope, input, step.column, "/column");
    const fields = fieldsOf(step, scope);
    if (!found || !fields) return undefined;
    const { type } = found.column;
    if (type && type.json.kind !== "any" && type.columnar.kind !== "nested")
      return rejectType(scope, "/column", found.column, "flatten takes JSON and structs.");
    const text = (at: number) => `f${found.index}x${at}`;
    const value = (at: number) => `f${found.index}v${at}`;
    return insertedCells(input, scope, {
      index: found.index,
      keepsCell: step.keep,
      columns: fields.map(({ name, type }) =>
        derivedColumn(name, type, [found.column], { step: scope.step, kind: "parsed" }),
      ),
      layers: (ref) => {
        const json = textSql(ref, found.column);
        const texts = fields.map((field, at) => `${memberSql(json, field)} AS ${text(at)}`);
        const values = fields.map(
          ({ rule, type }, at) => `CAST(${rule.value(text(at))} AS ${storageOf(type)}) AS ${value(at)}`,
        );
        return [texts, values];
      },
      values: () =>
        fields.map(
          ({ rule }, at) =>
            `CASE WHEN ${text(at)} IS NOT NULL AND ${rule.fits(text(at), value(at))} THEN ${value(at)} END`,
        ),
      at: (at) => `/fields/${fields[at]?.name}`,
      rejects: () =>
        fields.flatMap(({ name, rule, type }, at) =>
          type.family === "text"
            ? []
            : [
                {
                  column: name,
                  onError: step.on_error,
                  test: `${text(at)} IS NOT NULL AND NOT coalesce(${rule.fits(text(at), value(at))}, false)`,
                  text: text(at),
                  reason: `is not ${type.name}`,
                },
              ],
        ),
    });
  },
};

function fieldsOf(step: Flatten, scope: Scope) {
  const fields = Object.entries(step.fields).map(([name, { at, type: typeName }]) => {
    const type = parseColumnType(typeName);
    const rule = type && declaredRule(type.name);
    if (!type || !rule)
      return reject(scope, `/fields/${name}/type`, {
        code: "invalid_value",
        message: `Unknown type ${JSON.stringify(typeName)}, or a type that cannot be read from text.`,
      });
    return checkNewName(scope, name, `/fields/${name}`) ? { name, at, type, rule } : undefined;
  });
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

/** A string's characters, or the JSON text of any other value; null for a null or missing member. */
function memberSql(json: string, { at, type }: { at: string; type: { json: { kind: string } } }): string {
  const path = quoteLiteral(at === "" ? "$" : at);
  return type.json.kind === "any"
    ? `nullif(CAST(json_extract(${json}, ${path}) AS VARCHAR), 'null')`
    : `json_extract_string(${json}, ${path})`;
}
