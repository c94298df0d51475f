import { RECIPE_FUNCTIONS } from "./recipe-functions";
import { cellAt, passes, place, type RecipeTable } from "./recipe-table";
import { type Family, readDay, type Typed, typed, type Value } from "./recipe-values";

// biome-ignore lint/suspicious/noExplicitAny: expressions as the recipe has them
export type Expression = any;

/** A constant of a recipe: `type` says what a string stands for; a decimal point makes a number a decimal. */
export function constant(value: unknown, type?: string): Typed {
  if (type === "date") return typed("date", readDay(String(value)) ?? null);
  if (type === "timestamp") return typed("ts", BigInt(Date.parse(String(value))) * 1000n);
  if (value === null) return typed("text", null);
  if (typeof value !== "number") return typed(typeof value === "boolean" ? "bool" : "text", value as Value);
  const [, fraction = ""] = String(value).split(".");
  const digits = BigInt(String(value).replace(".", ""));
  return fraction === "" ? typed("int", digits) : typed("dec", digits, fraction.length);
}

export const familyOfType = (type: string): { family: Family; scale: number } => {
  const scale = /^decimal\(\d+,(\d+)\)$/.exec(type)?.[1];
  if (scale !== undefined) return { family: "dec", scale: Number(scale) };
  const families: Record<string, Family> = {
    string: "text",
    boolean: "bool",
    date: "date",
    timestamp: "ts",
    json: "json",
  };
  return { family: families[type] ?? (type.startsWith("int") ? "int" : "float"), scale: 0 };
};

export interface RecipeFilter {
  column: string;
  operator: string;
  value?: unknown;
}

/** The filters of a query, all of them; null where one is not known to hold. */
export function holdsAll(filters: readonly RecipeFilter[], table: RecipeTable, row: readonly Value[]): boolean | null {
  const results = filters.map(({ column, operator, value }) => {
    const cell = cellAt(table, row, place(table, column));
    const given = cell.family === "date" ? constant(value, "date") : constant(value);
    return passes(cell, operator, given) ?? null;
  });
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

/** The value of an expression in one row. */
export function evaluateExpression(expression: Expression, table: RecipeTable, row: readonly Value[]): Typed {
  if (typeof expression !== "object" || expression === null) return constant(expression);
  if ("col" in expression) return cellAt(table, row, place(table, expression.col));
  if ("value" in expression) return constant(expression.value, expression.type);
  if ("filters" in expression) return typed("bool", holdsAll(expression.filters, table, row));
  const args = expression.args.map((arg: Expression) => evaluateExpression(arg, table, row));
  const evaluate = RECIPE_FUNCTIONS[expression.fn];
  if (!evaluate) throw new Error(`The evaluator lacks ${expression.fn}`);
  return evaluate(...args);
}
