import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Bench } from "@/lib/readers/bench";
import { mismatch } from "@/lib/readers/failure";
import type { ColumnNote } from "@/lib/schemas/publish";
import { type CellRule, currentRule, declaredRule, sizedRules } from "./cell-types";
import type { ColumnPlan, Reading } from "./reading";
import { FEW_ROWS, tryRules } from "./try-rules";
import { firstOf, isWideCells, readableByColumns } from "./wide-cells";

/**
 * Each column's type is guessed from the first rows; the stage then checks it on every row. If the guess was wrong, or
 * the first rows have no cell, all rows decide.
 */
const SAMPLE_ROWS = 50_000;
/** The first rows, FEW_ROWS usually, rule out most types of most columns, which then need not be tried on the others. */
const WIDE_FIRST_ROWS = 32;

/** A column whose cells are text. */
export interface TextColumn {
  name: string;
  /** SQL of the cell's text; null is null. */
  text: string;
  /** Candidate rules in order of preference; the last one accepts any text. A single rule if the type is declared. */
  rules: readonly CellRule[];
}

/** Plans the reading of text cells; `rows` is the expected number. */
export async function readText(
  bench: Bench,
  source: string,
  columns: readonly TextColumn[],
  rows: number,
): Promise<Reading> {
  const relation = await readableByColumns(bench, source, columns.length);
  const isWide = isWideCells(relation);
  const first = isWide ? WIDE_FIRST_ROWS : FEW_ROWS;
  const likely = rows > first ? await likelyColumns(bench, firstOf(relation, first), columns) : columns;
  const areFew = !isWide && rows <= FEW_ROWS;
  const sampled = await fittingRules(bench, firstOf(relation, SAMPLE_ROWS), likely, areFew);
  const unseen = columns.filter((_, index) => rows > SAMPLE_ROWS && sampled[index]?.hasCells === false);
  const late = unseen.length === 0 ? [] : await fittingRules(bench, relation, unseen);
  const later = new Map(unseen.map((column, at) => [column, late[at]]));
  const replan = async (castErrors: readonly number[]) => {
    if (castErrors.some((index) => columns[index]?.rules.length === 1)) return undefined;
    const proven = await fittingRules(bench, relation, columns);
    return columns.map((column, index) => planOf(column, proven[index]?.rule));
  };
  const plans = columns.map((column, index) => planOf(column, (later.get(column) ?? sampled[index])?.rule));
  return { relation, columns: plans, isText: true, rows, replan };
}

/** The rule of a declared type; undefined if none is declared. Rejects types that cannot be read from text. */
export function ruleOfNote(note: ColumnNote | undefined): CellRule | undefined {
  if (note?.type === undefined) return undefined;
  const rule = declaredRule(note.type);
  if (!rule)
    throw mismatch(
      `Column ${JSON.stringify(note.name)}: text cannot be read as ${note.type}. Declare it json, or publish Parquet.`,
    );
  return rule;
}

/** What is known about a file's columns before it is read. */
export interface Expected {
  notes: readonly ColumnNote[];
  orderBy: readonly string[];
  /** The types of the current version, by column. */
  types: ReadonlyMap<string, string>;
}

/** The rules of a column without a declared type; the current version's type comes first. */
export function currentFirst(type: string | undefined, rules: readonly CellRule[]): readonly CellRule[] {
  const rule = type === undefined ? undefined : currentRule(type);
  if (!rule || columnTypeOf(rule).json.kind === "any") return rules;
  return isTextRule(rule) ? [rule] : [orEmpty(rule), ...rules.filter((each) => each.type !== rule.type)];
}

/** As with a declared type, an empty cell is null. */
const orEmpty = (rule: CellRule): CellRule => ({
  ...rule,
  value: (x) => rule.value(`nullif(${x}, '')`),
  fits: (x, v) => `(${x} = '' OR ${rule.fits(x, v)})`,
  ...(rule.matches && { matches: (text) => text === "" || rule.matches?.(text) === true }),
});

/** An empty cell is an empty string; in a column declared as another type than string it can only be null. */
export const declaredText = (text: string, rule: CellRule): string => (isTextRule(rule) ? text : `nullif(${text}, '')`);

const isTextRule = (rule: CellRule): boolean => columnTypeOf(rule).family === "text";

function planOf({ name, text, rules }: TextColumn, found: CellRule | undefined): ColumnPlan {
  const rule = found ?? lastOf(rules);
  if (isTextRule(rule)) return { name, type: rule.type, value: text, fits: undefined, shown: text };
  const typed = (x: string) => `CASE WHEN ${x} IS NOT NULL THEN ${rule.value(x)} END`;
  const fitsOf = (x: string, v: string) => `(${x} IS NULL OR ${rule.fits(x, v)})`;
  return {
    ...{ name, type: rule.type, value: typed(text), fits: (v) => fitsOf(text, v), shown: text },
    cellFits: (x) => fitsOf(x, typed(x)),
  };
}

/**
 * For each undecided column, the first rule that all its cells fit, in one pass; a column without cells gets its last
 * rule.
 */
async function fittingRules(
  bench: Bench,
  relation: string,
  columns: readonly TextColumn[],
  areFew = false,
): Promise<Fitting[]> {
  const answers = await tryRules(bench, relation, columns, areFew);
  const ruled = columns.map(({ text, rules }, index) => ({
    text,
    rule: rules.slice(0, -1).find((_, at) => answers[index]?.[at] === true),
  }));
  const sized = await sizedRules(bench, relation, ruled);
  return columns.map(({ rules }, index) => ({
    rule: sized[index],
    hasCells: rules.length === 1 || answers[index]?.some((answer) => answer !== null) === true,
  }));
}

interface Fitting {
  /** Undefined if only the last one fits. */
  rule: CellRule | undefined;
  hasCells: boolean;
}

/** The columns without the rules that a cell of these rows does not fit. The last rule is always kept. */
async function likelyColumns(bench: Bench, relation: string, columns: readonly TextColumn[]): Promise<TextColumn[]> {
  const answers = await tryRules(bench, relation, columns, !isWideCells(relation));
  return columns.map((column, index) => ({
    ...column,
    rules: column.rules.filter((_, at) => answers[index]?.[at] !== false),
  }));
}

function lastOf(rules: readonly CellRule[]): CellRule {
  const last = rules.at(-1);
  if (!last) throw new Error("A text column needs a rule");
  return last;
}
