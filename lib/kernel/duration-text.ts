const UNITS = { Y: "year", M: "month", W: "week", D: "day" } as const;
const CLOCK = { H: "hour", M: "minute", S: "second" } as const;

/** An ISO 8601 duration: `P4D` is 4 days. */
export function durationText(duration: string): string {
  const [days = "", clock = ""] = duration.slice(1).split("T");
  return [...words(days, UNITS), ...words(clock, CLOCK)].join(" and ");
}

/** How often, by an ISO 8601 duration: `P1M` is every month, `P1DT12H` every day and 12 hours. */
export const everyText = (duration: string): string => `every ${durationText(duration).replace(/^1 /, "")}`;

const words = (text: string, units: Readonly<Record<string, string>>): string[] =>
  [...text.matchAll(/(\d{1,6})([A-Z])/g)].map(
    ([, count = "", unit = ""]) => `${Number(count)} ${units[unit]}${Number(count) === 1 ? "" : "s"}`,
  );

const SECONDS = { Y: 31_556_952, M: 2_629_746, W: 604_800, D: 86_400 } as const;
const CLOCK_SECONDS = { H: 3600, M: 60, S: 1 } as const;

/** The approximate length of an ISO 8601 duration, with months and years of mean length: for comparing durations. */
export function secondsOf(duration: string): number {
  const [days = "", clock = ""] = duration.slice(1).split("T");
  const sum = (text: string, units: Readonly<Record<string, number>>) =>
    [...text.matchAll(/(\d{1,6})([A-Z])/g)].reduce((all, [, n, unit = ""]) => all + Number(n) * (units[unit] ?? 0), 0);
  return sum(days, SECONDS) + sum(clock, CLOCK_SECONDS);
}
