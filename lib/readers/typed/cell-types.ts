import type { CellForm, GuessedForm } from "@/lib/engine/types/column-type";
import { columnTypeOf, parseColumnType } from "@/lib/engine/types/column-types";
import { decimalOf, digitsSql } from "@/lib/engine/types/decimals";
import { SHORT_NUMBER } from "@/lib/engine/types/floats";
import { listCell } from "@/lib/engine/types/lists";
import type { Bench } from "@/lib/readers/bench";
import { aggregateCells } from "./wide-cells";

/** How a text cell becomes a value of a type, by the type's row. */
export interface CellRule extends CellForm {
  type: string;
  /** Set if the type depends on the cells' digits: `sizedRules` gives the rule of the type itself. */
  isOpen?: true;
  /** The same condition as `fits`, where it can be tried without DuckDB. */
  matches?(text: string): boolean;
}

/** A rule for cells without a declared type, which inspections apply as well. */
export interface GuessedRule extends GuessedForm {
  type: string;
  isOpen?: true;
}

/** The rule for cells without a declared type. Throws for a type that is never inferred. */
function guessed(type: string): GuessedRule {
  const form = columnTypeOf({ type }).source.guessed;
  if (!form) throw new Error(`${type} is never guessed`);
  return { type, ...form };
}

const INT64 = guessed("int64");
const BIG = guessed("decimal(38,0)");
export const FLOAT_RULE = guessed("float64");
/** Numbers that would be float64, if a double did not round one of them. */
const DECIMAL: GuessedRule = { type: "decimal", isOpen: true, value: (x) => x, ...SHORT_NUMBER };
const BOOLEAN = guessed("boolean");
export const STRING_RULE = guessed("string");
/** JSON text, every digit kept. */
export const JSON_RULE = guessed("json");

/** Candidates for JSON strings; a string of digits remains a string. */
export const JSON_STRING_RULES: readonly GuessedRule[] = [...["date", "timestamp", "time"].map(guessed), STRING_RULE];

/** Candidates for numbers, in this order. */
export const NUMBER_RULES: readonly GuessedRule[] = [INT64, BIG, FLOAT_RULE, DECIMAL];

/** Candidates for a text column without a declared type, in this order; the first that fits every cell is used. */
export const TEXT_RULES: readonly GuessedRule[] = [BOOLEAN, ...NUMBER_RULES, ...JSON_STRING_RULES];

export const JSON_NUMBER_RULES: readonly GuessedRule[] = [...NUMBER_RULES, JSON_RULE];
export const JSON_BOOLEAN_RULES: readonly GuessedRule[] = [BOOLEAN, JSON_RULE];
/** Candidates for the items of an array of numbers. */
export const ITEM_RULES: readonly GuessedRule[] = [INT64, BIG, FLOAT_RULE];

const listRule = (item: CellRule): CellRule => ({ type: `list<${item.type}>`, ...listCell(item) });

/** Arrays with items of one kind become lists; other arrays remain JSON. */
export function jsonArrayRules(items: ReadonlySet<string>): readonly CellRule[] {
  const kinds = [...items].filter((kind) => kind !== "null");
  if (kinds.length !== 1) return [JSON_RULE];
  if (kinds[0] === "string") return [listRule(STRING_RULE), JSON_RULE];
  if (kinds[0] === "boolean") return [listRule(BOOLEAN), JSON_RULE];
  return kinds[0] === "number" ? [...ITEM_RULES.map(listRule), JSON_RULE] : [JSON_RULE];
}

/** The rule of a declared type; undefined if text cannot be read as that type. */
export function declaredRule(type: string): CellRule | undefined {
  const form = parseColumnType(type)?.source.declared;
  return form && { type, ...form };
}

/** The rule of a type that earlier cells decided; undefined if text cannot be read as that type. */
export function currentRule(type: string): CellRule | undefined {
  const source = parseColumnType(type)?.source;
  const form = source?.kept ?? source?.declared;
  return form && { type, ...form };
}

/** A column's text in SQL, with the rule that all its cells fit. */
export interface Ruled {
  text: string;
  rule: CellRule | undefined;
}

/**
 * The rules with each open one replaced by that of the decimal that holds its cells; undefined where none does. One
 * pass over the relation if a rule is open.
 */
export async function sizedRules(
  bench: Pick<Bench, "rows">,
  relation: string,
  ruled: readonly Ruled[],
): Promise<(CellRule | undefined)[]> {
  const open = ruled.filter(({ rule }) => rule?.isOpen);
  if (open.length === 0) return ruled.map(({ rule }) => rule);
  const sizes = open.map(({ text }) => Object.values(digitsSql(text)).map((size) => `max(${size})::VARCHAR`));
  const found = await aggregateCells(bench, relation, sizes);
  return ruled.map((each) => {
    const at = open.indexOf(each);
    return at < 0 ? each.rule : sizedRule(Number(found[at]?.[0]), Number(found[at]?.[1]));
  });
}

function sizedRule(whole: number, scale: number): CellRule | undefined {
  const type = decimalOf(whole, scale);
  const declared = type?.source.declared;
  if (!type || !declared) return undefined;
  return {
    type: type.name,
    value: declared.value,
    fits: (x, v) => `(${SHORT_NUMBER.fits(x)} AND ${declared.fits(x, v)})`,
  };
}
