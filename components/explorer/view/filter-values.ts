import { isNumber, LosslessNumber, stringify } from "lossless-json";
import { isNumeric } from "@/components/values/value-text";
import { conditionFor } from "@/lib/engine/plan/conditions";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import type { Fault } from "@/lib/kernel/errors";
import type { ViewColumn, ViewFilter } from "./view";

/**
 * The value of a query's filter, of the column's type and with all digits as entered; undefined if the operator takes
 * none.
 */
export function filterValue({ operator, values }: Pick<ViewFilter, "operator" | "values">, type: string): unknown {
  const typed = values.map((text) => typedValue(text, type));
  switch (OPERATORS[operator].arity) {
    case "none":
      return undefined;
    case "one":
      return typed[0];
    default:
      return typed;
  }
}

/** What is wrong with a filter, in the API's own words; empty if it accepts it. */
export function filterFaults(filter: ViewFilter, column: ViewColumn): Fault[] {
  const comma = commaFault(filter, column);
  if (comma) return [comma];
  const asked = {
    column: filter.column,
    operator: filter.operator,
    value: filterValue(filter, column.type),
    ignore_case: filter.ignoreCase,
  };
  const checked = conditionFor(asked, "", { name: column.name, type: column.type, storage: "" }, 0);
  return Array.isArray(checked) ? checked : [];
}

/** A number with a comma that may be a decimal comma. */
function commaFault({ values, operator }: ViewFilter, { type }: ViewColumn): Fault | undefined {
  if (OPERATORS[operator].arity === "none" || !isNumeric(type)) return undefined;
  const text = values.find(
    (value) => value.includes(",") && /^[\s\d.,+-]+$/.test(value) && typeof numberOf(value) === "string",
  );
  if (text === undefined) return undefined;
  const meant = text.trim().replace(",", ".");
  const question = typeof numberOf(meant) === "string" ? "" : ` Did you mean ${meant}?`;
  return {
    pointer: "",
    code: "invalid_request",
    message: `Invalid number: ${text.slice(0, 40)}.${question} Commas can only separate thousands, as in 1,234.`,
  };
}

/** A value of a reply as the text that a filter, or the clipboard, takes. */
export const valueAsText = (value: unknown): string => (typeof value === "string" ? value : (stringify(value) ?? ""));

/** The filter that matches exactly this value, including null. */
export const sameValue = (column: string, value: unknown): ViewFilter =>
  value === null || value === undefined
    ? { column, operator: "is_null", values: [] }
    : { column, operator: "eq", values: [valueAsText(value)] };

/** Text that is not valid for the type remains text, and validation reports it. */
function typedValue(text: string, type: string): unknown {
  const row = parseColumnType(type);
  const { editor } = (row?.item ?? row)?.view ?? {};
  if (editor === "number") return numberOf(text);
  if (editor === "truth") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

const NUMBER = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/**
 * `+5`, `007`, `.5` and `1,234` are not JSON numbers but are accepted, and their digits are kept. A comma that does not
 * separate thousands is rejected: `6,4` may be meant as 6.4.
 */
function numberOf(text: string): LosslessNumber | string {
  const [, sign, whole, fraction, exponent] = NUMBER.exec(text.trim()) ?? [];
  if (!whole && !fraction) return text;
  const digits = (whole ?? "").replaceAll(",", "").replace(/^0+(?=\d)/, "") || "0";
  const json = `${sign === "-" ? "-" : ""}${digits}${fraction ? `.${fraction}` : ""}${exponent ?? ""}`;
  return isNumber(json) ? new LosslessNumber(json) : text;
}
