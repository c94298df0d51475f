import { withUnit } from "@/components/values/unit-text";
import { valueText } from "@/components/values/value-text";
import type { ChartColumn } from "./chart-spec";
import { partText } from "./part-text";

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/**
 * A span or range as text, by its start: `Jun 2001`, `Q2 2001`, `week of 4 Jun 2001`, `20 to under 40 min`; a part of
 * the calendar by its name: `Monday`. Undefined for other values.
 */
export function spanText(value: unknown, column: ChartColumn): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (column.width !== undefined) return rangeText(value, column, column.width);
  const part = partText(Number(String(value)), column.span, "long");
  if (part !== undefined) return part;
  const text = typeof value === "string" ? value : "";
  const start = new Date(text.length === 10 ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(start.getTime())) return undefined;
  switch (column.span) {
    case "year":
      return String(start.getUTCFullYear());
    case "quarter":
      return `Q${Math.floor(start.getUTCMonth() / 3) + 1} ${start.getUTCFullYear()}`;
    case "month":
      return MONTH.format(start);
    case "week":
      return `week of ${DAY.format(start)}`;
    default:
      return undefined;
  }
}

function rangeText(value: unknown, column: ChartColumn, width: number): string | undefined {
  const low = Number(String(value));
  if (!Number.isFinite(low)) return undefined;
  const text = (edge: number) => valueText(Number(edge.toPrecision(12)), column) ?? "";
  const range = `${text(low)} to under ${text(low + width)}`;
  return column.unit ? withUnit(range, column.unit) : range;
}
