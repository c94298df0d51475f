import type { ExpressionFunction } from "./function-row";
import { LOGIC } from "./functions/logic";
import { NUMBERS } from "./functions/numbers";
import { TEXTS } from "./functions/texts";
import { ADD_TIME, TIMES } from "./functions/time";
import type { Typed } from "./typed";

/** THE functions of expressions, by name, in the order of the docs. */
export const FUNCTIONS: Readonly<Record<string, ExpressionFunction>> = { ...NUMBERS, ...TEXTS, ...LOGIC, ...TIMES };

/** `add` is a different function if its first argument is a time. */
export function functionFor(name: string, first: Typed | undefined): ExpressionFunction | undefined {
  const family = first?.type?.family;
  if (name === "add" && (family === "date" || family === "timestamp")) return ADD_TIME;
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}
