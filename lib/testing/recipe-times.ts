import { DAY_US, dayOf, daysOf, type Family, floorDiv, floorMod, type Typed, typed, type Value } from "./recipe-values";

export type Evaluated = (...args: Typed[]) => Typed;

export const nullOf = (family: Family): Typed => typed(family, null);

/** A null argument gives null. */
export const strict =
  (family: Family, work: (...values: never[]) => Value): Evaluated =>
  (...args) =>
    args.some(({ value }) => value === null)
      ? nullOf(family)
      : typed(family, work(...(args.map(({ value }) => value) as never[])));

const dateOf = ({ family, value }: Typed): Date =>
  family === "date" ? dayOf(value as bigint) : new Date(Number(floorDiv(value as bigint, 1000n)));

const ofTime =
  (part: (date: Date) => number): Evaluated =>
  (x = nullOf("date")) =>
    x.value === null ? nullOf("int") : typed("int", BigInt(part(dateOf(x))));

const weekday = (date: Date): number => date.getUTCDay() || 7;
const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;

/** A week belongs to the year that its Thursday is in. */
function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - weekday(date)) * 86_400_000);
  return Math.floor((dayOfYear(thursday) - 1) / 7) + 1;
}

const MONTHS: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };
const MICROS: Readonly<Record<string, bigint>> = {
  week: 7n * DAY_US,
  day: DAY_US,
  hour: 3_600_000_000n,
  minute: 60_000_000n,
  second: 1_000_000n,
};

const micros = ({ family, value }: Typed): bigint =>
  family === "date" ? (value as bigint) * DAY_US : (value as bigint);
const ofMicros = (family: Family, at: bigint): Typed => typed(family, family === "date" ? floorDiv(at, DAY_US) : at);

/** A number of months later, at most the last day of that month. */
export function monthsLater(at: bigint, months: number): bigint {
  const days = floorDiv(at, DAY_US);
  const date = dayOf(days);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const [year, nth] = [Math.floor(month / 12), month - Math.floor(month / 12) * 12];
  const last = Number(dayOf(daysOf(year, nth + 2, 0)).getUTCDate());
  return daysOf(year, nth + 1, Math.min(date.getUTCDate(), last)) * DAY_US + floorMod(at, DAY_US);
}

export const addTime: Evaluated = (...args) => {
  const [time, n, unit] = args as [Typed, Typed, Typed];
  if (time.value === null || n.value === null) return { ...time, value: null };
  const months = MONTHS[String(unit.value)];
  const count = n.value as bigint;
  if (months !== undefined) return ofMicros(time.family, monthsLater(micros(time), months * Number(count)));
  return ofMicros(time.family, micros(time) + count * (MICROS[String(unit.value)] ?? 0n));
};

const truncate: Evaluated = (...args) => {
  const [unit, time] = args as [Typed, Typed];
  if (time.value === null) return time;
  const at = micros(time);
  const months = MONTHS[String(unit.value)];
  if (months !== undefined) {
    const date = dayOf(floorDiv(at, DAY_US));
    const month = Math.floor(date.getUTCMonth() / months) * months;
    return ofMicros(time.family, daysOf(date.getUTCFullYear(), month + 1, 1) * DAY_US);
  }
  const size = MICROS[String(unit.value)] ?? DAY_US;
  const shift = unit.value === "week" ? 4n * DAY_US : 0n; // 1970 began on a Thursday; 5 January was a Monday
  return ofMicros(time.family, floorDiv(at - shift, size) * size + shift);
};

/** The number of whole units between two times, rounded towards zero. */
const difference: Evaluated = (...args) => {
  const [unit, a, b] = args as [Typed, Typed, Typed];
  if (a.value === null || b.value === null) return nullOf("int");
  const [from, to] = [micros(a), micros(b)];
  const months = MONTHS[String(unit.value)];
  if (months === undefined) return typed("int", (to - from) / (MICROS[String(unit.value)] ?? 1n));
  const sign = to < from ? -1 : 1;
  let count = 0;
  while (sign * Number(monthsLater(from, sign * (count + 1)) - to) <= 0) count += 1;
  return typed("int", BigInt(sign * Math.trunc(count / months)));
};

/** Functions of dates and timestamps, which are read in UTC. */
export const RECIPE_TIMES: Readonly<Record<string, Evaluated>> = {
  year: ofTime((date) => date.getUTCFullYear()),
  quarter: ofTime((date) => Math.floor(date.getUTCMonth() / 3) + 1),
  month: ofTime((date) => date.getUTCMonth() + 1),
  day: ofTime((date) => date.getUTCDate()),
  iso_week: ofTime(isoWeek),
  iso_weekday: ofTime(weekday),
  day_of_year: ofTime(dayOfYear),
  hour: ofTime((date) => date.getUTCHours()),
  minute: ofTime((date) => date.getUTCMinutes()),
  second: ofTime((date) => date.getUTCSeconds()),
  truncate,
  difference,
  make_date: strict("date", (y: bigint, m: bigint, d: bigint) => {
    const [year, month, day] = [Number(y), Number(m), Number(d)];
    const days = daysOf(year, month, day);
    const date = dayOf(days);
    const isSame = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
    return isSame && year >= 1 && year <= 9999 ? days : null;
  }),
  end_of_month: (x = nullOf("date")) => {
    if (x.value === null) return nullOf("date");
    const date = dateOf(x);
    return typed("date", daysOf(date.getUTCFullYear(), date.getUTCMonth() + 2, 0));
  },
  to_date: strict("date", (x: bigint, zone: string) => floorDiv(x + offsetAt(x, zone), DAY_US)),
  at_midnight: strict("ts", (x: bigint, zone: string) => {
    const naive = x * DAY_US;
    const first = naive - offsetAt(naive, zone);
    return naive - offsetAt(first, zone);
  }),
  epoch: strict("float", (x: bigint) => Number(x) / 1e6),
};

/** How far a zone's clocks are ahead of UTC at an instant, in microseconds. */
function offsetAt(at: bigint, zone: string): bigint {
  const date = new Date(Number(floorDiv(at, 1000n)));
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const local = Date.parse(`${parts.format(date).replace(" ", "T")}Z`);
  return BigInt(local - Math.floor(date.getTime() / 1000) * 1000) * 1000n;
}
