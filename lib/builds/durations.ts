const UNITS = { Y: "year", M: "month", W: "week", D: "day" } as const;
const CLOCK = { H: "hour", M: "minute", S: "second" } as const;

/** `P1Y2M` and `PT15M` as a DuckDB INTERVAL. Accepts only durations of `durationSchema`. */
export function intervalSql(duration: string): string {
  const [days = "", clock = ""] = duration.slice(1).split("T");
  const parts = [...unitCounts(days, UNITS), ...unitCounts(clock, CLOCK)];
  return `INTERVAL '${parts.join(" ")}'`;
}

const unitCounts = (text: string, units: Readonly<Record<string, string>>): string[] =>
  [...text.matchAll(/(\d{1,6})([A-Z])/g)].map(([, count, unit = ""]) => `${count} ${units[unit]}s`);

/** The years of a duration that consists only of years. */
export function yearsOf(duration: string): number | undefined {
  const match = /^P(\d{1,6})Y$/.exec(duration);
  return match ? Number(match[1]) : undefined;
}

/** Whether a duration consists only of months and years, whose lengths differ. */
export const isOfMonths = (duration: string): boolean => /^P(?:\d{1,6}Y)?(?:\d{1,6}M)?$/.test(duration);
