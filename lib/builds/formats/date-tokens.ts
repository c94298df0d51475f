import type { MonthNames } from "@/lib/builds/lock";
import { escapedPattern } from "@/lib/builds/steps/replace";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { OFFSET } from "@/lib/engine/types/timestamps";

interface Token {
  name: string;
  /** Its RE2 pattern; names of months are inserted from the locale. */
  pattern: string;
  english: string;
}

const TOKENS: Readonly<Record<string, Token>> = {
  "%Y": { name: "year", pattern: "[0-9]{4}", english: "year, four digits" },
  "%y": { name: "yy", pattern: "[0-9]{2}", english: "year, two digits (see two_digit_pivot)" },
  "%m": { name: "month", pattern: "0[1-9]|1[0-2]", english: "month, 01 to 12" },
  "%-m": { name: "month", pattern: "0?[1-9]|1[0-2]", english: "month, 1 or 01 to 12" },
  "%d": { name: "day", pattern: "0[1-9]|[12][0-9]|3[01]", english: "day of the month, 01 to 31" },
  "%-d": { name: "day", pattern: "0?[1-9]|[12][0-9]|3[01]", english: "day of the month, 1 or 01 to 31" },
  "%b": { name: "short", pattern: "", english: "month's short name in the locale, or its long one" },
  "%B": { name: "long", pattern: "", english: "month's long name in the locale" },
  "%H": { name: "hour", pattern: "[01][0-9]|2[0-3]", english: "hour, 00 to 23" },
  "%I": { name: "twelve", pattern: "0?[1-9]|1[0-2]", english: "hour, 1 to 12, with %p" },
  "%p": { name: "half", pattern: "(?i:[ap]m|[ap][.]m[.])", english: "am or pm" },
  "%M": { name: "minute", pattern: "[0-5][0-9]", english: "minute, 00 to 59" },
  "%S": { name: "second", pattern: "[0-5][0-9]", english: "second, 00 to 59" },
  "%f": { name: "fraction", pattern: "[0-9]{1,6}", english: "fraction of a second, 1 to 6 digits" },
  "%z": { name: "zone", pattern: `Z|[-+]${OFFSET}`, english: "offset from UTC, such as +02:00, or Z" },
  "%j": { name: "ordinal", pattern: "[0-9]{3}", english: "day of the year, 001 to 366" },
  "%G": { name: "isoyear", pattern: "[0-9]{4}", english: "ISO year, with %V" },
  "%V": { name: "week", pattern: "0[1-9]|[1-4][0-9]|5[0-3]", english: "ISO week, 01 to 53" },
  "%q": { name: "quarter", pattern: "[1-4]", english: "quarter, 1 to 4" },
  "%%": { name: "", pattern: "%", english: "a percent sign" },
};

const DATE_TOKENS: readonly string[] = Object.keys(TOKENS);

/** What each token of a format reads. */
export const dateTokenTexts = (): readonly [token: string, english: string][] =>
  Object.entries(TOKENS).map(([token, { english }]) => [token, english]);

/** A format, as a pattern literal whose groups have names. */
export interface Tokens {
  pattern: string;
  /** The quoted names of the groups, in order. */
  names: string[];
  has: ReadonlySet<string>;
}

const SPLIT = /%-?[A-Za-z%]|[^%]+|%/g;

/** What is wrong with a format; undefined for a valid one. */
export function tokensFault(format: string, kind: "date" | "time" | "timestamp"): string | undefined {
  const found = format.match(SPLIT)?.filter((part) => part.startsWith("%")) ?? [];
  const strange = found.find((token) => !Object.hasOwn(TOKENS, token));
  if (strange !== undefined) return `Unknown token ${strange}. Use ${DATE_TOKENS.join(" ")}.`;
  const names = found.map((token) => TOKENS[token]?.name ?? "").filter((name) => name !== "");
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `The format contains the ${twice} twice.`;
  const has = new Set(names);
  if (kind === "time") return has.has("hour") || has.has("twelve") ? undefined : "A time needs %H, or %I with %p.";
  return dayFault(has) ?? (has.has("twelve") !== has.has("half") ? "%I and %p belong together." : undefined);
}

function dayFault(has: ReadonlySet<string>): string | undefined {
  if (has.has("isoyear") !== has.has("week")) return "%G and %V belong together.";
  const years = ["year", "yy", "isoyear"].filter((name) => has.has(name)).length;
  if (years !== 1) return "A date needs one year: %Y, %y, or %G with %V.";
  const months = ["month", "short", "long", "quarter", "ordinal", "week"].filter((name) => has.has(name)).length;
  if (months > 1) return "Give only one of month, quarter, week and day of the year.";
  return has.has("day") && !["month", "short", "long"].some((name) => has.has(name))
    ? "A day needs its month."
    : undefined;
}

export function readTokens(format: string, months: MonthNames): Tokens {
  const names: string[] = [];
  const parts = (format.match(SPLIT) ?? []).map((part) => {
    const token = TOKENS[part];
    if (!token) return escapedPattern(part);
    if (token.name === "") return token.pattern;
    names.push(quoteLiteral(token.name));
    const pattern =
      token.name === "short"
        ? namesPattern([...months.short, ...months.long])
        : token.name === "long"
          ? namesPattern(months.long)
          : token.pattern;
    return `(${pattern})`;
  });
  return { pattern: quoteLiteral(parts.join("")), names, has: new Set(names.map((name) => name.slice(1, -1))) };
}

/** Longest names first, in any case, with or without a full stop. */
const namesPattern = (names: readonly string[]): string =>
  `(?i:${[...new Set(names.map(bareName))]
    .sort((a, b) => b.length - a.length)
    .map(escapedPattern)
    .join("|")})[.]?`;

const bareName = (name: string): string => name.replace(/\.$/, "").toLowerCase();

interface Reading {
  pivot: number;
  part: "start" | "end";
  months: MonthNames;
}

/** SQL of a format's groups: `day` is a DATE or null, `clock` the text of a time, `zone` that of its offset. */
export function partsOf(
  { has }: Tokens,
  groups: string,
  reading: Reading,
): { day: string; clock: string; zone: string | undefined } {
  const group = (name: string) => `struct_extract(${groups}, '${name}')`;
  const hour = has.has("twelve") ? twelveSql(group("twelve"), group("half")) : has.has("hour") ? group("hour") : "'00'";
  const two = (name: string) => (has.has(name) ? group(name) : "'00'");
  const fraction = has.has("fraction") ? `, '.', rpad(${group("fraction")}, 6, '0')` : "";
  const zone = has.has("zone")
    ? `CASE WHEN ${group("zone")} = 'Z' THEN '+00' WHEN length(${group("zone")}) = 5 THEN ` +
      `concat(left(${group("zone")}, 3), ':', right(${group("zone")}, 2)) ELSE ${group("zone")} END`
    : undefined;
  return {
    day: daySql(has, group, reading),
    clock: `concat(${hour}, ':', ${two("minute")}, ':', ${two("second")}${fraction})`,
    zone,
  };
}

const twelveSql = (hour: string, half: string): string =>
  `lpad(CAST(CAST(${hour} AS INTEGER) % 12 + CASE WHEN lower(left(${half}, 1)) = 'p' THEN 12 ELSE 0 END ` +
  `AS VARCHAR), 2, '0')`;

function daySql(has: ReadonlySet<string>, group: (name: string) => string, { pivot, part, months }: Reading): string {
  const yy = `CAST(${group("yy")} AS INTEGER)`;
  const year = has.has("yy")
    ? `CAST(CASE WHEN ${yy} >= ${pivot} THEN 1900 + ${yy} ELSE 2000 + ${yy} END AS VARCHAR)`
    : group(has.has("isoyear") ? "isoyear" : "year");
  const first = (month: string, day: string) => `TRY_CAST(concat(${year}, '-', ${month}, '-', ${day}) AS DATE)`;
  const ending = (start: string, span: string) =>
    part === "end" ? `CAST(${start} + ${span} - INTERVAL 1 DAY AS DATE)` : start;
  if (has.has("week")) return weekSql(first("'01'", "'04'"), group("week"), group("isoyear"), ending);
  if (has.has("ordinal")) return ordinalSql(first("'01'", "'01'"), group("ordinal"));
  if (has.has("quarter"))
    return ending(
      first(`lpad(CAST(CAST(${group("quarter")} AS INTEGER) * 3 - 2 AS VARCHAR), 2, '0')`, "'01'"),
      "INTERVAL 3 MONTH",
    );
  const month = has.has("month")
    ? `lpad(${group("month")}, 2, '0')`
    : has.has("long")
      ? monthSql(group("long"), months)
      : has.has("short")
        ? monthSql(group("short"), months)
        : undefined;
  if (month === undefined) return ending(first("'01'", "'01'"), "INTERVAL 1 YEAR");
  return has.has("day")
    ? first(month, `lpad(${group("day")}, 2, '0')`)
    : ending(first(month, "'01'"), "INTERVAL 1 MONTH");
}

/** The Monday of an ISO week; null for a 53rd week of a year without one. */
function weekSql(
  fourth: string,
  week: string,
  isoyear: string,
  ending: (start: string, span: string) => string,
): string {
  const monday =
    `CAST(${fourth} - to_days(CAST(isodow(${fourth}) - 1 AS INTEGER)) + ` +
    `to_days((CAST(${week} AS INTEGER) - 1) * 7) AS DATE)`;
  return `CASE WHEN isoyear(${monday}) = CAST(${isoyear} AS INTEGER) THEN ${ending(monday, "INTERVAL 7 DAY")} END`;
}

function ordinalSql(first: string, ordinal: string): string {
  const day = `CAST(${first} + to_days(CAST(${ordinal} AS INTEGER) - 1) AS DATE)`;
  return `CASE WHEN year(${day}) = year(${first}) THEN ${day} END`;
}

function monthSql(name: string, { long, short }: MonthNames): string {
  const bare = `lower(regexp_replace(${name}, '[.]$', ''))`;
  const cases = long.map((_, at) => {
    const spellings = [...new Set([long[at] ?? "", short[at] ?? ""].map(bareName))].map(quoteLiteral);
    return `WHEN ${bare} IN (${spellings.join(", ")}) THEN '${String(at + 1).padStart(2, "0")}'`;
  });
  return `CASE ${cases.join(" ")} END`;
}
