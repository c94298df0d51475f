import type { MonthNames } from "@/lib/builds/lock";

/** English names, independent of the machine's ICU. */
export const ENGLISH: MonthNames = {
  long: [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ],
  short: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
};

/** Month names of a locale from this machine's ICU. They are written into the lock once, since machines differ. */
export function monthNames(locale: string): MonthNames {
  const named = (month: "long" | "short") => {
    const format = new Intl.DateTimeFormat(locale, { month, day: "numeric", year: "numeric", timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, at) => {
      const parts = format.formatToParts(Date.UTC(2001, at, 15));
      return parts.find(({ type }) => type === "month")?.value ?? "";
    });
  };
  return { long: named("long"), short: named("short") };
}
