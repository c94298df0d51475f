import fc from "fast-check";
import type { Expression } from "./recipe-expressions";
import type { RecipeTable } from "./recipe-table";
import type { Family } from "./recipe-values";

/** Draws one of some values. */
export type Pick = <T>(...from: readonly T[]) => T;

const DAYS = ["2024-01-31", "2024-02-29", "2023-12-31", "1969-07-20", "2024-12-30", "2021-01-03"];
const INSTANTS = ["2024-03-31T00:30:00Z", "2024-01-31T23:59:59.5Z", "1969-12-31T22:00:00Z", "2026-10-25T01:30:00Z"];
const UNITS = ["year", "quarter", "month", "week", "day"];
export const PATTERNS = ["^[A-Z]", "([a-z])([0-9])?", "e.$", "[0-9]+", "\\p{Lu}(.)"];
export const WORDS = ["Ab ç", "", "Zürich", "e\u0301a", "a;b;c", "x-y", "12", "😀 emoji", " pad ", "AB", "1.50"];

const CONSTANTS: Partial<Record<Family, readonly Expression[]>> = {
  text: WORDS,
  int: [0, 1, -7, 12, 1250],
  dec: [0.5, -2.25, 10.125],
  bool: [true, false],
  date: DAYS.map((value) => ({ value, type: "date" })),
  ts: INSTANTS.map((value) => ({ value, type: "timestamp" })),
};

/** The possible arguments: families, one of which is drawn per call, or constants of the recipe. */
type Argument = { families: readonly Family[] } | { constants: readonly unknown[] };

const any = (...families: Family[]): Argument => ({ families });
const one = (...constants: unknown[]): Argument => ({ constants });
const [TEXT, BOOL, INT, NUM] = [any("text"), any("bool"), any("int"), any("int", "dec")];
const [TIME, TS, DATE] = [any("date", "ts"), any("ts"), any("date")];
const [COUNT, PATTERN, ZONE] = [one(0, 1, 2, 5), one(...PATTERNS), one("Europe/Lisbon", "America/Sao_Paulo")];
const UNIT = one(...UNITS);

/** Arguments of each function; those of a `same` call are of one family. */
const CALLS: Readonly<Record<string, readonly Argument[]>> = {
  add: [NUM, NUM],
  sub: [NUM, NUM],
  mul: [NUM, NUM],
  div: [NUM, NUM],
  idiv: [INT, INT],
  mod: [INT, INT],
  neg: [NUM],
  abs: [NUM],
  sign: [NUM],
  round: [NUM, one(-2, -1, 0, 1)],
  floor: [NUM],
  ceil: [NUM],
  trunc: [NUM],
  power: [NUM, one(0, 2, 0.5)],
  sqrt: [NUM],
  ln: [NUM],
  log10: [NUM],
  exp: [one(0, 1, -2.5)],
  concat: [TEXT, TEXT],
  upper: [TEXT],
  lower: [TEXT],
  length: [TEXT],
  substring: [TEXT, one(1, 2, 4), COUNT],
  left: [TEXT, COUNT],
  right: [TEXT, COUNT],
  trim: [TEXT],
  pad_left: [TEXT, one(1, 4, 9), one("0", "é")],
  replace: [TEXT, one("a", "-", "ü", ";"), TEXT],
  starts_with: [TEXT, TEXT],
  ends_with: [TEXT, TEXT],
  contains: [TEXT, TEXT],
  position: [TEXT, one("b", "ç", "", "-")],
  strip_accents: [TEXT],
  normalize: [TEXT],
  slug: [TEXT],
  matches: [TEXT, PATTERN],
  extract: [TEXT, one("([a-z])([0-9])?", "\\p{Lu}(.)"), one(0, 1)],
  split_part: [TEXT, one(";", "-", "ü"), one(1, 2, 3)],
  sha256: [TEXT],
  is_null: [any("text", "int", "dec", "bool", "date", "ts")],
  and: [BOOL, BOOL],
  or: [BOOL, BOOL],
  not: [BOOL],
  year: [TIME],
  quarter: [TIME],
  month: [TIME],
  day: [TIME],
  iso_week: [TIME],
  iso_weekday: [TIME],
  day_of_year: [TIME],
  hour: [TS],
  minute: [TS],
  second: [TS],
  truncate: [UNIT, TIME],
  difference: [one(...UNITS, "hour"), TIME, TIME],
  make_date: [one(2024, 2023, 0, 10000), one(2, 13, 12), one(29, 30, 0)],
  end_of_month: [TIME],
  to_date: [TS, ZONE],
  at_midnight: [DATE, ZONE],
  epoch: [TS],
};

/** Functions whose arguments are all of one family, and how many they are. */
const SAME: Readonly<Record<string, number>> = {
  coalesce: 3,
  null_if: 2,
  least: 3,
  greatest: 2,
  eq: 2,
  neq: 2,
  gt: 2,
  gte: 2,
  lt: 2,
  lte: 2,
  in: 3,
};

export const FUNCTION_NAMES = [...Object.keys(CALLS), ...Object.keys(SAME), "if"];

function value(pick: Pick, table: RecipeTable, family: Family): Expression {
  const columns = table.columns.filter((column) => column.family === family && column.scale <= 4);
  const constants = CONSTANTS[family] ?? [];
  const named = columns.map(({ name }) => ({ col: name }));
  return pick<Expression>(...named, ...named, ...named, ...(named.length > 2 ? constants.slice(0, 2) : constants));
}

/** A call of one function, its arguments columns and constants. */
export function arbitraryCall(pick: Pick, table: RecipeTable, name: string): Expression {
  const family = pick<Family>("text", "int", "dec", "date", "bool");
  const values = (count: number) => Array.from({ length: count }, () => value(pick, table, family));
  if (name === "if") return { fn: name, args: [value(pick, table, "bool"), ...values(pick(1, 2))] };
  if (SAME[name] !== undefined) return { fn: name, args: values(SAME[name]) };
  const isLater = name === "add" && pick(false, true);
  const args = isLater ? [TIME, one(1, -3, 14), UNIT] : (CALLS[name] ?? []);
  return {
    fn: name,
    args: args.map((arg) => ("constants" in arg ? pick(...arg.constants) : value(pick, table, pick(...arg.families)))),
  };
}

/** `pick` of a generator of fast-check. */
export const pickOf =
  (draw: fc.GeneratorValue): Pick =>
  (...from) =>
    draw(() => fc.constantFrom(...from));
