import type { CellForm } from "@/lib/engine/types/column-type";
import { columnTypeOf, parseColumnType } from "@/lib/engine/types/column-types";
import { listCell } from "@/lib/engine/types/lists";

/** How a text cell becomes a value of a type, by the type's row. */
export interface CellRule extends CellForm {
  type: string;
}

/** The rule for cells without a declared type. Throws for a type that is never inferred. */
function guessed(type: string): CellRule {
  const form = columnTypeOf({ type }).source.guessed;
  if (!form) throw new Error(`${type} is never guessed`);
  return { type, ...form };
}

const INT64 = guessed("int64");
const BIG = guessed("decimal(38,0)");
const FLOAT64 = guessed("float64");
const BOOLEAN = guessed("boolean");
export const STRING_RULE = guessed("string");
/** JSON text, every digit kept. */
export const JSON_RULE = guessed("json");

/** Candidates for JSON strings; a string of digits remains a string. */
export const JSON_STRING_RULES: readonly CellRule[] = [...["date", "timestamp", "time"].map(guessed), STRING_RULE];

/** Candidates for a text column without a declared type, in this order; the first that fits every cell is used. */
export const TEXT_RULES: readonly CellRule[] = [BOOLEAN, INT64, BIG, FLOAT64, ...JSON_STRING_RULES];

export const JSON_NUMBER_RULES: readonly CellRule[] = [INT64, BIG, FLOAT64, JSON_RULE];
export const JSON_BOOLEAN_RULES: readonly CellRule[] = [BOOLEAN, JSON_RULE];

const listRule = (item: CellRule): CellRule => ({ type: `list<${item.type}>`, ...listCell(item) });

/** Arrays with items of one kind become lists; other arrays remain JSON. */
export function jsonArrayRules(items: ReadonlySet<string>): readonly CellRule[] {
  const kinds = [...items].filter((kind) => kind !== "null");
  if (kinds.length !== 1) return [JSON_RULE];
  if (kinds[0] === "string") return [listRule(STRING_RULE), JSON_RULE];
  if (kinds[0] === "boolean") return [listRule(BOOLEAN), JSON_RULE];
  return kinds[0] === "number" ? [listRule(INT64), listRule(BIG), listRule(FLOAT64), JSON_RULE] : [JSON_RULE];
}

/** The rule of a declared type; undefined if text cannot be read as that type. */
export function declaredRule(type: string): CellRule | undefined {
  const form = parseColumnType(type)?.source.declared;
  return form && { type, ...form };
}
