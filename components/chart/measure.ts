import { isLosslessNumber } from "lossless-json";
import type { ViewForm } from "@/lib/engine/types/column-type";
import { parseColumnType } from "@/lib/engine/types/column-types";

/** The scale of a column's values on an axis. */
export type Measure = ViewForm["measure"];

export const measureOf = (type: string): Measure => parseColumnType(type)?.view.measure ?? "category";

/**
 * A value's position: a number, milliseconds since 1970 or since midnight. Null for null, NaN for values without a
 * position, such as infinity.
 */
export function positionOf(value: unknown, measure: Measure): number | null {
  if (value === null || value === undefined) return null;
  const position = measure === "number" ? numberOf(value) : measure === "time" ? instantOf(value) : clockOf(value);
  return Number.isFinite(position) ? position : Number.NaN;
}

/** Wide integers and decimals may be strings, with all their digits. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" || isLosslessNumber(value)) return Number(value.toString());
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

const YEAR = /^(-?)(\d{4,6})(-\d{2}-\d{2})(?:T(.+))?$/;

/** Includes years before 1 and after 9999, which ISO 8601 writes with a sign and six digits. */
function instantOf(value: unknown): number {
  const [, sign, year = "", day, clock] = YEAR.exec(String(value)) ?? [];
  if (day === undefined) return Number.NaN;
  const written = sign || year.length > 4 ? `${sign || "+"}${year.padStart(6, "0")}` : year;
  return Date.parse(`${written}${day}T${clock ?? "00:00:00Z"}`);
}

function clockOf(value: unknown): number {
  const [, hours, minutes, seconds] = /^(\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)$/.exec(String(value)) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
}
