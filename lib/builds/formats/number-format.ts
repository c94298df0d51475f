import type { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { storageOf } from "@/lib/builds/relation";
import type { CellRule } from "@/lib/builds/steps/cell-rule";
import { escapedPattern } from "@/lib/builds/steps/replace";
import { plainBlanks } from "@/lib/builds/steps/trim";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { parseExact } from "@/lib/engine/types/exact-number";
import { declaredRule } from "@/lib/readers/typed/cell-types";
import { numberSchema } from "@/lib/schemas/recipe-values";

const separator = z
  .string()
  .regex(
    /^[^\d\s+\-()]$|^ $/u,
    "Use one character that is not a digit or sign. A plain space stands for every kind of space.",
  );

export const numberFormatSchema = z.strictObject({
  decimal: z.enum([".", ","]).optional(),
  thousands: z.array(separator).max(6).default([]),
  groups: z.enum(["three", "indian"]).default("three"),
  strip: z.array(z.string().min(1).max(50)).max(20).default([]),
  negative: z.enum(["minus", "parentheses", "trailing"]).default("minus"),
  percent: z.enum(["keep", "divide"]).optional(),
  units: z
    .record(z.string().min(1).max(20), numberSchema)
    .refine(
      (units) => Object.values(units).every((factor) => powerOf(factor) !== undefined),
      "Use powers of ten, such as 1000.",
    )
    .default({}),
});
export type NumberFormat = z.output<typeof numberFormatSchema>;

/** The point, unless points separate thousands. */
const decimalOf = ({ decimal, thousands }: NumberFormat): string => decimal ?? (thousands.includes(".") ? "," : ".");

/** The exponent of a power of ten from 1 to 10^15: 1000 is 3. Undefined for any other number. */
function powerOf({ value }: LosslessNumber): number | undefined {
  const exact = parseExact(value);
  return exact?.coefficient === 1n && exact.exponent >= 0 && exact.exponent <= 15 ? exact.exponent : undefined;
}

/**
 * Reads cells as numbers. The digits are rearranged as text and only then cast, so that nothing passes through a float.
 * A thousands separator must be followed by three digits: `1.23` with thousands `.` is not a number, and
 * neither is `0.125`, which is rather an eighth.
 */
export function numberRule(format: NumberFormat, type: ColumnType): CellRule | undefined {
  const declared = declaredRule(type.name);
  if (!declared) return undefined;
  return {
    below: (ref, name) => {
      const [cleaned, sized, signed, shaped] = [`${name}a`, `${name}b`, `${name}c`, `${name}d`];
      const matched = (x: string, digits: string) =>
        `CASE WHEN regexp_full_match(${x}, ${quoteLiteral(patternOf(format))}) THEN ${digits} END AS ${shaped}`;
      const first = `${cleanedSql(ref, format)} AS ${cleaned}`;
      if (isPlain(format)) return [first, matched(cleaned, plainSql(cleaned, format))];
      const shift = shiftSql(cleaned, format);
      const digits = shift === UNSHIFTED ? plainSql(signed, format) : shiftedSql(signed, `${name}s`, format);
      return [
        first,
        `${unitlessSql(cleaned, format)} AS ${sized}, ${shift} AS ${name}s`,
        `${signedSql(sized, format)} AS ${signed}`,
        matched(signed, digits),
      ];
    },
    value: (ref) => `CAST(${declared.value(`v${ref.slice(1)}d`)} AS ${storageOf(type)})`,
    isBad: (_ref, value) => `NOT coalesce(${value}d IS NOT NULL AND ${declared.fits(`${value}d`, value)}, false)`,
    reason: `is not a number of type ${type.name} in this format`,
  };
}

/** Whether a number's text is its digits with a point or a comma. */
const isPlain = ({ thousands, percent, units, negative }: NumberFormat): boolean =>
  thousands.length === 0 && percent !== "divide" && Object.keys(units).length === 0 && negative === "minus";

function cleanedSql(x: string, { strip, percent }: NumberFormat): string {
  const plain = `trim(replace(${plainBlanks(x)}, chr(8722), '-'))`;
  const texts = [...strip, ...(percent ? ["%"] : [])].map(escapedPattern).sort((a, b) => b.length - a.length);
  if (texts.length === 0) return plain;
  const any = `(?:${texts.join("|")})`;
  return `trim(regexp_replace(${plain}, ${quoteLiteral(`^(?:${any} *)+|(?: *${any})+$`)}, '', 'g'))`;
}

const unitsOf = ({ units }: NumberFormat): [string, number][] =>
  Object.entries(units)
    .map(([unit, factor]): [string, number] => [unit, powerOf(factor) ?? 0])
    .sort(([a], [b]) => b.length - a.length);

function unitlessSql(x: string, format: NumberFormat): string {
  const units = unitsOf(format).map(([unit]) => escapedPattern(unit));
  return units.length === 0 ? x : `regexp_replace(${x}, ${quoteLiteral(` *(?:${units.join("|")})$`)}, '')`;
}

const UNSHIFTED = "0";

/** The number of places by which the point moves to the right. */
function shiftSql(x: string, format: NumberFormat): string {
  const base = format.percent === "divide" ? -2 : 0;
  const cases = unitsOf(format).map(
    ([unit, power]) => `WHEN ends_with(${x}, ${quoteLiteral(unit)}) THEN ${power + base}`,
  );
  return cases.length === 0 ? String(base) : `CASE ${cases.join(" ")} ELSE ${base} END`;
}

/** The number with its sign in front, however the source writes it. */
function signedSql(x: string, { negative }: NumberFormat): string {
  if (negative === "parentheses") return `regexp_replace(${x}, '^[(] *([^()]*?) *[)]$', '-\\1')`;
  return negative === "trailing" ? `regexp_replace(${x}, '^([^-]*?) *-$', '-\\1')` : x;
}

function patternOf(format: NumberFormat): string {
  const { thousands, groups } = format;
  const decimal = decimalOf(format);
  const grouped = thousands
    .filter((sign) => sign !== decimal)
    .map((sign) => {
      const one = escapedPattern(sign);
      return groups === "indian"
        ? `[1-9][0-9]?(?:${one}[0-9]{2})*${one}[0-9]{3}`
        : `[1-9][0-9]{0,2}(?:${one}[0-9]{3})+`;
    });
  return `-?(?:${[...grouped, "[0-9]+"].join("|")})(?:${escapedPattern(decimal)}[0-9]+)?`;
}

/** The digits of a number that has the format's pattern. */
function plainSql(x: string, format: NumberFormat): string {
  const decimal = decimalOf(format);
  const marks = [...new Set(format.thousands)].filter((mark) => mark !== decimal);
  const ungrouped = marks.reduce((sql, mark) => `replace(${sql}, ${quoteLiteral(mark)}, '')`, x);
  return decimal === "." ? ungrouped : `replace(${ungrouped}, ${quoteLiteral(decimal)}, '.')`;
}

/** The digits with the point moved by the shift. */
function shiftedSql(x: string, shift: string, format: NumberFormat): string {
  const sign = `CASE WHEN starts_with(${x}, '-') THEN '-' ELSE '' END`;
  const at = quoteLiteral(decimalOf(format));
  const whole = `regexp_replace(split_part(${x}, ${at}, 1), '[^0-9]', '', 'g')`;
  const fraction = `split_part(${x}, ${at}, 2)`;
  const right =
    `concat(${whole}, rpad(left(${fraction}, greatest(${shift}, 0)), ` +
    `CAST(greatest(${shift}, 0) AS INTEGER), '0'))`;
  const rest = `substring(${fraction}, greatest(${shift}, 0) + 1)`;
  const padded = `lpad(${right}, CAST(greatest(length(${right}), 1 - least(${shift}, 0)) AS INTEGER), '0')`;
  const moved =
    `concat(left(${padded}, length(${padded}) + least(${shift}, 0)), '.', right(${padded}, ` +
    `-least(${shift}, 0)), ${rest})`;
  return `concat(${sign}, regexp_replace(${moved}, '[.]$', ''))`;
}
