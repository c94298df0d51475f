import { isLosslessNumber, stringify } from "lossless-json";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { groupDigits } from "@/lib/kernel/format";

/** What decides how a value is written for people. */
export interface ValueColumn {
  name: string;
  type: string;
}

// Years, codes and identifiers are names made of digits; 2001 is not a quantity.
const NAME_LIKE = /(^|[_\s-])(year|years|yr|id|ids|code|codes|zip|zipcode|number|no|version|epoch)($|[_\s-])/i;

export const isNumeric = (type: string): boolean => parseColumnType(type)?.number !== undefined;
/** Whether a column's digits are not a quantity, judging by its name. */
export const isNameLike = (name: string): boolean => NAME_LIKE.test(name);
export const isTemporal = (type: string): boolean => {
  const measure = parseColumnType(type)?.view.measure;
  return measure === "time" || measure === "clock";
};
/** Whether values are instants in UTC. */
export const isInstant = (type: string): boolean => parseColumnType(type)?.view.isInstant === true;

/** A value of a column as people read it; null for null. Digits are kept exactly. */
export function valueText(value: unknown, column: ValueColumn): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return isInstant(column.type) ? instantText(value) : value;
  if (isLosslessNumber(value) || typeof value === "number" || typeof value === "bigint")
    return numberText(String(value), column);
  if (typeof value === "boolean") return String(value);
  return stringify(value) ?? "";
}

/**
 * A computed value as short as people read it, so that a column of averages lines up: `9.27365472132547` → `9.27`, and
 * `4875.0` → `4,875.00`. Exact numbers, such as counts and sums of money, keep their digits.
 */
export function computedText(value: unknown, column: ValueColumn): string | null {
  const number = asNumber(value);
  const isDouble = parseColumnType(column.type)?.number?.isFloat === true;
  if (!isDouble || number === undefined || !Number.isFinite(number)) return valueText(value, column);
  const size = Math.abs(number);
  return number === 0 || (size >= 0.1 && size < 1e15)
    ? groupDigits(number.toFixed(2))
    : String(Number(number.toPrecision(3)));
}

const numberText = (digits: string, column: ValueColumn): string =>
  isNumeric(column.type) && !isNameLike(column.name) ? groupDigits(digits) : digits;

/** `2001-01-01T05:30:00.650000Z` → `2001-01-01 05:30:00.650`; the column's type indicates UTC. */
const instantText = (iso: string): string => iso.replace("T", " ").replace(/(?:\.0+|(?<=\.\d{3})000)?Z$/, "");

/** A profile's number as a double, for drawing and rounding; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (isLosslessNumber(value)) return Number(value.toString());
  return typeof value === "number" ? value : undefined;
}
