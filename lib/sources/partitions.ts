import type { Template } from "@/lib/schemas/recipe-source";
import { utcDay } from "./calendar";

/** One file of a template. */
export interface Partition {
  /** The name as stored and shown: 2026, 2026-Q3, 2026-09, 2026-W36, 2026-09-01, 7, or the list's value. */
  name: string;
  url: string;
}

const DAY_MS = 86_400_000;

/**
 * The partitions of a template, oldest first, at most `most`. `today` (YYYY-MM-DD) is what `to: now` stands for: the
 * start of the run in the recipe's time zone, minus `lag`.
 */
export function partitionsOf(template: Template, today: string, most: number): Partition[] {
  const { partition, url } = template;
  if (partition.by === "list") return partition.values.map((value) => named(value, url, { value }));
  if (partition.by === "number") {
    const count = Math.min(most, Math.max(0, partition.to - partition.from + 1));
    return Array.from({ length: count }, (_, at) => String(partition.from + at)).map((value) =>
      named(value, url, { value }),
    );
  }
  const { by } = partition;
  const from = startOf(by, firstDay(partition.from));
  const to = firstDay(partition.to === "now" ? today : partition.to);
  const found: Partition[] = [];
  for (let at = from; at <= to && found.length < most; at = next(by, at))
    found.push(named(nameOf(by, at), url, placeholders(by, url, at), at));
  return found;
}

/** Beside `{week}`, `{year}` is the week's year: 2020-W01 begins in 2019. */
function placeholders(by: Span, url: string, day: Date): Readonly<Record<string, string>> {
  const texts = textsOf(day);
  return by === "week" && url.includes("{week}") ? { ...texts, year: texts.weekYear } : texts;
}

type Span = "year" | "quarter" | "month" | "week" | "day";

const firstDay = (text: string): Date => new Date(`${text.padEnd(10, "-01-01".slice(text.length - 4))}T00:00:00Z`);

function startOf(by: Span, day: Date): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  if (by === "year") return utc(year, 0);
  if (by === "quarter") return utc(year, month - (month % 3));
  if (by === "month") return utc(year, month);
  return by === "week" ? new Date(day.getTime() - weekday(day) * DAY_MS) : day;
}

function next(by: Span, day: Date): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  if (by === "year") return utc(year + 1, 0);
  if (by === "quarter") return utc(year, month + 3);
  if (by === "month") return utc(year, month + 1);
  return new Date(day.getTime() + (by === "week" ? 7 : 1) * DAY_MS);
}

const utc = (year: number, month: number): Date => new Date(utcDay(year, month, 1));

/** 0 is Monday. */
const weekday = (day: Date): number => (day.getUTCDay() + 6) % 7;

function nameOf(by: Span, day: Date): string {
  const { year, month, quarter, week, weekYear } = textsOf(day);
  if (by === "year") return year;
  if (by === "quarter") return `${year}-Q${quarter}`;
  if (by === "month") return `${year}-${month}`;
  return by === "week" ? `${weekYear}-W${week}` : iso(day);
}

const iso = (day: Date): string => day.toISOString().slice(0, 10);
const four = (year: number): string => String(year).padStart(4, "0");
const two = (value: number): string => String(value).padStart(2, "0");

function textsOf(day: Date) {
  const thursday = new Date(day.getTime() + (3 - weekday(day)) * DAY_MS);
  const weekYear = thursday.getUTCFullYear();
  return {
    year: four(day.getUTCFullYear()),
    month: two(day.getUTCMonth() + 1),
    day: two(day.getUTCDate()),
    quarter: String(Math.floor(day.getUTCMonth() / 3) + 1),
    week: two(1 + Math.floor((thursday.getTime() - utcDay(weekYear, 0, 1)) / DAY_MS / 7)),
    weekYear: four(weekYear),
  };
}

function named(name: string, url: string, texts: Readonly<Record<string, string>>, day?: Date): Partition {
  const filled = url.replace(/\{(\w{1,20}|date:[^{}]{1,50})\}/g, (whole, key: string) => {
    if (day && key.startsWith("date:")) return datedText(key.slice("date:".length), day);
    return Object.hasOwn(texts, key) ? encodeURIComponent(texts[key] ?? "") : whole;
  });
  return { name, url: filled };
}

/** A day formatted with tokens such as `%Y-%m-%d`. */
export function datedText(format: string, day: Date): string {
  const { year, month, day: date, week, weekYear, quarter } = textsOf(day);
  const start = utcDay(day.getUTCFullYear(), 0, 1);
  const tokens: Readonly<Record<string, string>> = {
    "%Y": year,
    "%y": year.slice(2),
    "%m": month,
    "%-m": String(Number(month)),
    "%d": date,
    "%-d": String(Number(date)),
    "%j": String(1 + (day.getTime() - start) / DAY_MS).padStart(3, "0"),
    "%G": weekYear,
    "%V": week,
    "%q": quarter,
  };
  return format.replace(/%-?[A-Za-z]/g, (token) => tokens[token] ?? token);
}
