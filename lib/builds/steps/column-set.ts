import { z } from "zod";
import { NOT_SIMPLE, patternFault, simplePattern } from "@/lib/builds/patterns";
import type { Relation } from "@/lib/builds/relation";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { columnNameSchema, patternSchema } from "@/lib/schemas/recipe-values";
import { type Found, findColumns, reject, type Scope } from "./step";

const names = z.array(columnNameSchema).min(1).max(2000);

/** Columns by name, or a set of them that is resolved in each run, with the columns that the source has then. */
export const columnSetSchema = z.union([
  names,
  z.strictObject({ matches: patternSchema, if_any: z.boolean().default(false) }),
  z.strictObject({ except: names, if_any: z.boolean().default(false) }),
  z.strictObject({ type: z.string(), if_any: z.boolean().default(false) }),
]);
export type ColumnSet = z.output<typeof columnSetSchema>;

/** The columns of a set, in the input's order; undefined after a fault. For an open relation, only those known. */
export function resolveSet(scope: Scope, input: Relation, set: ColumnSet, at: string): Found[] | undefined {
  if (Array.isArray(set)) return findColumns(scope, input, set, at);
  const found = chosen(scope, input, set, at);
  if (!found) return undefined;
  if (found.length === 0 && !set.if_any && !input.isOpen)
    return reject(scope, at, {
      code: "unknown_column",
      message: "The set has no columns. Set if_any: true if it may be empty.",
    });
  scope.sets.set(
    scope.pointer + at,
    found.map(({ column }) => column.name),
  );
  return found;
}

function chosen(scope: Scope, input: Relation, set: Exclude<ColumnSet, string[]>, at: string): Found[] | undefined {
  const all = input.columns.map((column, index) => ({ column, index }));
  if ("except" in set) {
    const left = findColumns(scope, input, set.except, `${at}/except`);
    const names = new Set(left?.map(({ column }) => column.name));
    return left && all.filter(({ column }) => !names.has(column.name));
  }
  if ("type" in set) {
    if (!parseColumnType(set.type))
      return reject(scope, `${at}/type`, {
        code: "invalid_value",
        message: `Unknown type ${JSON.stringify(set.type.slice(0, 100))}.`,
      });
    return all.filter(({ column }) => column.type?.name === set.type);
  }
  const message = patternFault(set.matches);
  if (message !== undefined) return reject(scope, `${at}/matches`, { code: "invalid_value", message });
  scope.patterns.push({ pointer: `${scope.pointer}${at}/matches`, pattern: set.matches });
  const simple = simplePattern(set.matches);
  if (!simple) return reject(scope, `${at}/matches`, { code: "invalid_value", message: NOT_SIMPLE });
  return all.filter(({ column }) => simple.test(column.name));
}
