import {
  cast,
  type ExpressionFunction,
  FLOAT64,
  INT64,
  isFloat,
  isInteger,
  NUMBER,
  ORDERED,
  scaleOf,
  WHOLE,
  whole,
} from "@/lib/builds/expressions/function-row";
import { type Typed, typeNamed } from "@/lib/builds/expressions/typed";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { isDecimal } from "@/lib/engine/types/decimals";

const SCALE_MAX = 18;

const ofScale = (scale: number): ColumnType | string =>
  scale > SCALE_MAX
    ? `The result would have ${scale} decimals (maximum ${SCALE_MAX}). Round the arguments first.`
    : typeNamed(`decimal(38,${scale})`);

const allWhole = (args: readonly Typed[]) => args.every(({ type, isNull }) => isNull || isInteger(type));
const anyFloat = (args: readonly Typed[]) => args.some(({ type }) => isFloat(type));

function sumType(args: readonly Typed[]): ColumnType | string {
  if (anyFloat(args)) return FLOAT64;
  return allWhole(args) ? INT64 : ofScale(Math.max(...args.map(({ type }) => scaleOf(type))));
}

function productType(args: readonly Typed[]): ColumnType | string {
  if (anyFloat(args)) return FLOAT64;
  return allWhole(args) ? INT64 : ofScale(args.reduce((sum, { type }) => sum + scaleOf(type), 0));
}

const folded =
  (sign: string): ExpressionFunction["sql"] =>
  (args, { result }) =>
    `(${args.map((arg) => cast(arg, result)).join(` ${sign} `)})`;

/** The factors keep their own scales, as the product would otherwise not fit a decimal. */
const product: ExpressionFunction["sql"] = (args, { types, result }) => {
  if (!isDecimal(result)) return folded("*")(args, { result, types, name: String });
  return args.slice(1).reduce(
    (left, right, at) => {
      const scale = types.slice(0, at + 2).reduce((sum, type) => sum + scaleOf(type), 0);
      return `CAST(${left} * ${factor(right, types[at + 1])} AS DECIMAL(38,${scale}))`;
    },
    factor(args[0] ?? "", types[0]),
  );
};

const factor = (sql: string, type: ColumnType | undefined): string =>
  isInteger(type) ? `CAST(${sql} AS DECIMAL(20,0))` : sql;

const own = ([first]: readonly Typed[]): ColumnType => first?.type ?? INT64;

/** A decimal with one more digit, so that results of rounding up fit: 9.9 becomes 10.0, and the sign of 0.5 is 1.0. */
function ownWithRoom(args: readonly Typed[]): ColumnType {
  const type = own(args);
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type.name) ?? [];
  return precision === undefined ? type : typeNamed(`decimal(${Math.min(38, Number(precision) + 1)},${scale})`);
}

const ownType = (english: string, sql: (x: string) => string): ExpressionFunction => ({
  group: "numbers",
  english,
  args: [NUMBER],
  result: ownWithRoom,
  sql: ([x = ""], { result }) => cast(sql(cast(x, result)), result),
});

/** A real function, which is null outside its domain. */
const real = (english: string, isDefined: (x: string) => string, sql: (x: string) => string): ExpressionFunction => ({
  group: "numbers",
  english,
  args: [NUMBER],
  result: () => FLOAT64,
  sql: ([x = ""], { name }) => {
    const value = name(cast(x, FLOAT64));
    return `CASE WHEN ${isDefined(value)} THEN ${sql(`CASE WHEN ${isDefined(value)} THEN ${value} ELSE 1 END`)} END`;
  },
});

const extreme = (name: "least" | "greatest", english: string): ExpressionFunction => ({
  group: "numbers",
  english,
  args: [ORDERED, ORDERED],
  most: 10,
  isCommon: true,
  result: (_, common) => common ?? INT64,
  sql: (args) => `${name}(${args.join(", ")})`,
});

/** Integers and decimals remain exact. An overflow ends the run. */
export const NUMBERS: Readonly<Record<string, ExpressionFunction>> = {
  add: { group: "numbers", english: "the sum", args: [NUMBER, NUMBER], most: 10, result: sumType, sql: folded("+") },
  sub: {
    group: "numbers",
    english: "the first argument minus the second",
    args: [NUMBER, NUMBER],
    result: sumType,
    sql: folded("-"),
  },
  mul: { group: "numbers", english: "the product", args: [NUMBER, NUMBER], most: 4, result: productType, sql: product },
  div: {
    group: "numbers",
    english: "the quotient; null for a division by zero",
    args: [NUMBER, NUMBER],
    result: () => FLOAT64,
    sql: ([a = "", b = ""]) => `(${cast(a, FLOAT64)} / nullif(${cast(b, FLOAT64)}, 0))`,
  },
  idiv: {
    group: "numbers",
    english: "the quotient, rounded down; null for a division by zero",
    args: [WHOLE, WHOLE],
    result: () => INT64,
    sql: ([a = "", b = ""], { name }) => {
      const [x, y] = [name(cast(a, INT64)), name(`nullif(${cast(b, INT64)}, 0)`)];
      return `(${x} // ${y} - CASE WHEN ${x} % ${y} <> 0 AND (${x} % ${y} < 0) <> (${y} < 0) THEN 1 ELSE 0 END)`;
    },
  },
  mod: {
    group: "numbers",
    english: "the remainder, with the sign of the second argument; null for a division by zero",
    args: [WHOLE, WHOLE],
    result: () => INT64,
    sql: ([a = "", b = ""], { name }) => {
      const y = name(`nullif(${cast(b, INT64)}, 0)`);
      const rest = name(`(${cast(a, INT64)} % ${y})`);
      return `(${rest} + CASE WHEN ${rest} <> 0 AND (${rest} < 0) <> (${y} < 0) THEN ${y} ELSE 0 END)`;
    },
  },
  neg: {
    group: "numbers",
    english: "the number with the opposite sign",
    args: [NUMBER],
    result: ([x]) => (isInteger(x?.type) ? INT64 : own([x as Typed])),
    sql: ([x = ""], { result }) => `(-${cast(x, result)})`,
  },
  abs: ownType("the number without its sign", (x) => `abs(${x})`),
  sign: ownType("-1, 0 or 1", (x) => `sign(${x})`),
  round: {
    group: "numbers",
    english: "rounded to the given number of decimals (0 if absent), halves away from zero",
    args: [NUMBER, whole(-10, 10)],
    optional: 1,
    result: ownWithRoom,
    sql: ([x = "", digits = "0"], { result }) => cast(`round(${cast(x, result)}, ${digits})`, result),
  },
  floor: ownType("rounded down", (x) => `floor(${x})`),
  ceil: ownType("rounded up", (x) => `ceil(${x})`),
  trunc: ownType("rounded towards zero", (x) => `trunc(${x})`),
  power: {
    group: "numbers",
    english: "the first argument to the power of the second; null if undefined",
    args: [NUMBER, NUMBER],
    result: () => FLOAT64,
    sql: ([a = "", b = ""], { name }) => {
      const value = name(`pow(${cast(a, FLOAT64)}, ${cast(b, FLOAT64)})`);
      return `CASE WHEN NOT isnan(${value}) THEN ${value} END`;
    },
  },
  sqrt: real(
    "the square root; null for negative numbers",
    (x) => `${x} >= 0`,
    (x) => `sqrt(${x})`,
  ),
  ln: real(
    "the natural logarithm; null for zero and negative numbers",
    (x) => `${x} > 0`,
    (x) => `ln(${x})`,
  ),
  log10: real(
    "the logarithm to base 10; null for zero and negative numbers",
    (x) => `${x} > 0`,
    (x) => `log10(${x})`,
  ),
  exp: real(
    "e to the power of the number",
    (x) => `${x} IS NOT NULL`,
    (x) => `exp(${x})`,
  ),
  least: extreme("least", "the smallest of the values that are not null"),
  greatest: extreme("greatest", "the greatest of the values that are not null"),
};
