import type { BucketName } from "@/lib/engine/types/buckets";

const DAY_MS = 86_400_000;
const name = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const MONTHS = { long: name({ month: "long" }), short: name({ month: "short" }) };
const WEEKDAYS = { long: name({ weekday: "long" }), short: name({ weekday: "short" }) };
/** 5 January 1970 was a Monday. */
const MONDAY = 4 * DAY_MS;

/** A part of the calendar by its number: `January`, `Monday`, `05:00`; undefined for spans and for other numbers. */
export function partText(value: number, bucket: BucketName | undefined, length: "long" | "short"): string | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (bucket === "month_of_year" && value >= 1 && value <= 12)
    return MONTHS[length].format(new Date(Date.UTC(1970, value - 1)));
  if (bucket === "day_of_week" && value >= 1 && value <= 7)
    return WEEKDAYS[length].format(new Date(MONDAY + (value - 1) * DAY_MS));
  if (bucket === "hour_of_day" && value >= 0 && value <= 23) return `${String(value).padStart(2, "0")}:00`;
  return undefined;
}
