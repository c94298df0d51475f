import { isLosslessNumber } from "lossless-json";
import { compare, indexOf, scaleOf } from "./evaluate-cells";
import type { Cell, Table } from "./evaluator";

/** Filters: a part of the second implementation. */

export interface Filter {
  column: string;
  operator: string;
  value?: unknown;
  ignore_case?: boolean;
}

/** Letters are compared as JavaScript's own patterns fold them: simple case folding. */
export const foldedTest = (text: string, before = "", after = ""): RegExp =>
  new RegExp(`${before}${text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}${after}`, "ius");

function meetsFolded(cell: string, { operator, value }: Filter): boolean {
  const equals = (text: unknown) => foldedTest(String(text), "^", "$").test(cell);
  const tests: Readonly<Record<string, () => boolean>> = {
    eq: () => equals(value),
    neq: () => !equals(value),
    in: () => (value as unknown[]).some(equals),
    not_in: () => !(value as unknown[]).some(equals),
    contains: () => foldedTest(String(value)).test(cell),
    not_contains: () => !foldedTest(String(value)).test(cell),
    starts_with: () => foldedTest(String(value), "^").test(cell),
    ends_with: () => foldedTest(String(value), "", "$").test(cell),
  };
  return tests[operator]?.() ?? false;
}

/** Whether one of a row's strings contains the text, ignoring case. */
export function searched(table: Table, row: readonly Cell[], search: { text: string; columns?: string[] }): boolean {
  const pattern = foldedTest(search.text);
  return table.columns.some(({ name, type }, at) => {
    const cell = row[at];
    const isSearched = type === "string" && (search.columns?.includes(name) ?? true);
    return isSearched && typeof cell === "string" && pattern.test(cell);
  });
}

export function meets(table: Table, row: readonly Cell[], filter: Filter): boolean {
  const at = indexOf(table, filter.column);
  const cell = row[at] ?? null;
  if (filter.operator === "is_null") return cell === null;
  if (cell === null) return false;
  const type = table.columns[at]?.type ?? "";
  if (filter.ignore_case) return meetsFolded(String(cell), filter);
  const against = (value: unknown) => compareWith(cell, type, value);
  switch (filter.operator) {
    case "is_not_null":
      return true;
    case "not_in":
      return !meets(table, row, { ...filter, operator: "in" });
    case "not_contains":
      return !meets(table, row, { ...filter, operator: "contains" });
    case "in":
      return (filter.value as unknown[]).some((value) => against(value) === 0);
    case "between":
      return against((filter.value as unknown[])[0]) >= 0 && against((filter.value as unknown[])[1]) <= 0;
    case "contains":
      return String(cell).includes(String(filter.value));
    case "starts_with":
      return String(cell).startsWith(String(filter.value));
    case "ends_with":
      return String(cell).endsWith(String(filter.value));
    default:
      return holds(filter.operator, against(filter.value));
  }
}

function holds(operator: string, order: number): boolean {
  const truths: Record<string, boolean> = {
    eq: order === 0,
    neq: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return truths[operator] ?? false;
}

/** Compares a cell with a filter's value as in the body. */
function compareWith(cell: Cell, type: string, value: unknown): number {
  if (isLosslessNumber(value)) {
    if (type === "float64") return compare(cell, Number(value.value));
    if (type === "float32") return compare(cell, Math.fround(Number(value.value)));
    return compareDigits(cell as bigint, scaleOf(type), value.value);
  }
  if (type === "date") return compare(cell, BigInt(Date.parse(`${value}T00:00:00Z`) / 86_400_000));
  if (type === "timestamp") return compare(cell, microsOf(String(value)));
  return compare(cell, type === "uuid" ? String(value).toLowerCase() : (value as Cell));
}

/** Compares coefficient / 10^scale with decimal digits, by a common denominator. */
function compareDigits(coefficient: bigint, scale: number, digits: string): number {
  const [mantissa = "", power = "0"] = digits.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const shift = Number(power) - fraction.length + scale;
  const other = BigInt(whole + fraction);
  return shift >= 0
    ? compare(coefficient, other * 10n ** BigInt(shift))
    : compare(coefficient * 10n ** BigInt(-shift), other);
}

function microsOf(text: string): bigint {
  const [seconds = "", fraction = ""] = text.slice(0, -1).split(".");
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}
