import { isNumber, LosslessNumber, stringify } from "lossless-json";
import { conditionFor } from "@/lib/engine/plan/conditions";
import { columnTypeOf, parseColumnType } from "@/lib/engine/types/column-types";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import type { Fault } from "@/lib/kernel/errors";
import type { ViewColumn, ViewFilter } from "./view";

/**
 * A filter with values as people enter them, as many as the operator takes. They get the column's type and keep all
 * digits; text that is not valid for the type remains text, which the engine rejects.
 */
export function filterOn(
  { name, type }: ViewColumn,
  operator: OperatorName,
  texts: readonly string[] = [],
  ignoresCase = false,
): ViewFilter {
  const isInstants = columnTypeOf({ type }).family === "timestamp";
  const [asked, entered] = isInstants ? withInstants(operator, texts) : [operator, texts];
  const values = entered.map((text) => typedValue(text, type));
  const { arity } = OPERATORS[asked];
  return {
    column: name,
    operator: asked,
    ...(arity !== "none" && { value: arity === "one" ? values[0] : values }),
    ...(ignoresCase && { ignore_case: true }),
  };
}

/** A filter's values, as many as its operator takes. */
export const valuesOf = ({ value }: Pick<ViewFilter, "value">): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The same as text. */
export const textsOf = (filter: Pick<ViewFilter, "value">): string[] => valuesOf(filter).map(valueAsText);

/** What is wrong with a filter, in the API's own words; empty if it accepts it. */
export function filterFaults(filter: ViewFilter, column: ViewColumn): Fault[] {
  const checked = conditionFor(filter, "", { ...column, storage: "" }, 0);
  const [first] = Array.isArray(checked) ? checked : [];
  return first ? [{ ...first, message: commaFault(filter, column) ?? first.message }] : [];
}

/** What is wrong with a number whose comma may be a decimal comma. */
export function commaFault(filter: Pick<ViewFilter, "value">, { type }: ViewColumn): string | undefined {
  if (parseColumnType(type)?.number === undefined) return undefined;
  const text = textsOf(filter).find(
    (value) => value.includes(",") && /^[\s\d.,+-]+$/.test(value) && typeof exactNumber(value) === "string",
  );
  if (text === undefined) return undefined;
  const meant = text.trim().replace(",", ".");
  const question = typeof exactNumber(meant) === "string" ? "" : ` Did you mean ${meant}?`;
  return `Invalid number: ${text.slice(0, 40)}.${question} Commas can only separate thousands, as in 1,234.`;
}

/** A value of a reply as the text that a filter, or the clipboard, takes. */
export const valueAsText = (value: unknown): string => (typeof value === "string" ? value : (stringify(value) ?? ""));

/** The filter that matches exactly this value of a reply, including null. */
export const sameValue = (column: string, value: unknown): ViewFilter =>
  value === null || value === undefined ? { column, operator: "is_null" } : { column, operator: "eq", value };

/** Whether a view's filters choose this value of a column, on its own or among others. */
export const isChosenValue = (filters: readonly ViewFilter[], column: string, value: string): boolean =>
  filters.some(
    (filter) =>
      filter.column === column &&
      (filter.operator === "eq" || filter.operator === "in") &&
      textsOf(filter).includes(value),
  );

function typedValue(text: string, type: string): unknown {
  const row = parseColumnType(type);
  const { editor } = (row?.item ?? row)?.view ?? {};
  if (editor === "number") return exactNumber(text);
  if (editor === "truth") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

const NUMBER = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/**
 * `+5`, `007`, `.5` and `1,234` are not JSON numbers but are accepted, and their digits are kept. A comma that does not
 * separate thousands is rejected: `6,4` may be meant as 6.4.
 */
function exactNumber(text: string): LosslessNumber | string {
  const [, sign, whole, fraction, exponent] = NUMBER.exec(text.trim()) ?? [];
  if (!whole && !fraction) return text;
  const digits = (whole ?? "").replaceAll(",", "").replace(/^0+(?=\d)/, "") || "0";
  const json = `${sign === "-" ? "-" : ""}${digits}${fraction ? `.${fraction}` : ""}${exponent ?? ""}`;
  return isNumber(json) ? new LosslessNumber(json) : text;
}

/** A number as entered. Text that is no number remains text, which the engine rejects. */
export const enteredNumber = (text: string): LosslessNumber => exactNumber(text) as LosslessNumber;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?(?: ?Z| UTC)?$/i;

const DAY_START = "T00:00:00Z";
const DAY_END = "T23:59:59.999999Z";

/** Which end of a day an operator refers to: "after a day" means after its end. */
const ENDS: Readonly<Partial<Record<OperatorName, readonly string[]>>> = {
  gt: [DAY_END],
  gte: [DAY_START],
  lt: [DAY_START],
  lte: [DAY_END],
  between: [DAY_START, DAY_END],
};

/**
 * Converts what people enter for a column of instants to what the service accepts: a time as the grid shows it
 * (`2018-02-05 01:00`, in UTC), or a date, which means the entire day. Anything else is returned unchanged.
 */
function withInstants(operator: OperatorName, texts: readonly string[]): [OperatorName, readonly string[]] {
  const [day] = texts;
  if (operator === "eq" && day !== undefined && DAY.test(day.trim()))
    return ["between", [`${day.trim()}${DAY_START}`, `${day.trim()}${DAY_END}`]];
  return [operator, texts.map((text, at) => instant(text.trim(), ENDS[operator]?.[at]) ?? text)];
}

function instant(text: string, end: string | undefined): string | undefined {
  if (DAY.test(text)) return end && `${text}${end}`;
  const [, day, minute, second] = INSTANT.exec(text) ?? [];
  return day && `${day}T${minute}${second ?? ":00"}Z`;
}
