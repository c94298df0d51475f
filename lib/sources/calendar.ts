const DAY_MS = 86_400_000;

interface Span {
  months: number;
  days: number;
  clockMs: number;
}

/** The day of an instant in a time zone, minus an ISO 8601 duration: YYYY-MM-DD. */
export function dayIn(zone: string, instant: Date, lag = "P0D"): string {
  const { months, days, clockMs } = spanOf(lag);
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  return moved(local.format(new Date(instant.getTime() - clockMs)), { months: -months, days: -days });
}

/** A day, a duration later `times` times. The end of a month remains in its month. Clock parts are ignored. */
export function dayAfter(day: string, duration: string, times: number): string {
  const { months, days } = spanOf(duration);
  return moved(day, { months: months * times, days: days * times });
}

/** Milliseconds since 1970. Other than `Date.UTC`, it takes the years 0 to 99 for what they are. */
export const utcDay = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day);

/** Whether a duration consists of whole days, at least one. */
export function isOfDays(duration: string): boolean {
  const { months, days, clockMs } = spanOf(duration);
  return clockMs === 0 && months + days > 0;
}

function moved(day: string, { months, days }: Pick<Span, "months" | "days">): string {
  const from = new Date(`${day}T00:00:00Z`);
  const month = new Date(utcDay(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const last = new Date(utcDay(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
  month.setUTCDate(Math.min(from.getUTCDate(), last));
  return new Date(month.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

function spanOf(duration: string): Span {
  const [days = "", clock = ""] = duration.slice(1).split("T");
  const { Y = 0, M = 0, W = 0, D = 0 } = countsOf(days);
  const { H = 0, M: minutes = 0, S = 0 } = countsOf(clock);
  return { months: 12 * Y + M, days: 7 * W + D, clockMs: ((H * 60 + minutes) * 60 + S) * 1000 };
}

const countsOf = (text: string): Record<string, number> =>
  Object.fromEntries([...text.matchAll(/(\d{1,6})([A-Z])/g)].map(([, count, unit = ""]) => [unit, Number(count)]));
