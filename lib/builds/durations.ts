const UNITS = { Y: "year", M: "month", W: "week", D: "day" } as const;
const CLOCK = { H: "hour", M: "minute", S: "second" } as const;

/** `P1Y2M` and `PT15M` as a DuckDB INTERVAL. Accepts only durations of `durationSchema`. */
export function intervalSql(duration: string): string {
  const [days = "", clock = ""] = duration.slice(1).split("T");
  const parts = [...words(days, UNITS), ...words(clock, CLOCK)];
  return `INTERVAL '${parts.join(" ")}'`;
}

const words = (text: string, units: Readonly<Record<string, string>>): string[] =>
  [...text.matchAll(/(\d{1,6})([A-Z])/g)].map(([, count, unit = ""]) => `${count} ${units[unit]}s`);

/** The years of a duration that consists only of years. */
export function yearsOf(duration: string): number | undefined {
  const match = /^P(\d{1,6})Y$/.exec(duration);
  return match ? Number(match[1]) : undefined;
}

const SECONDS = { Y: 31_556_952, M: 2_629_746, W: 604_800, D: 86_400 } as const;
const CLOCK_SECONDS = { H: 3600, M: 60, S: 1 } as const;

/** The approximate length of a duration, with mean lengths of months and years, for comparison. */
export function secondsOf(duration: string): number {
  const [days = "", clock = ""] = duration.slice(1).split("T");
  const sum = (text: string, units: Readonly<Record<string, number>>) =>
    [...text.matchAll(/(\d{1,6})([A-Z])/g)].reduce((all, [, n, unit = ""]) => all + Number(n) * (units[unit] ?? 0), 0);
  return sum(days, SECONDS) + sum(clock, CLOCK_SECONDS);
}
