const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const SIGNIFICANT = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5 });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const MINUTE_S = 60;
const AGES = [
  { unit: "year", seconds: 31_557_600 },
  { unit: "month", seconds: 2_629_800 },
  { unit: "week", seconds: 604_800 },
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3600 },
  { unit: "minute", seconds: MINUTE_S },
] as const;

/** `3000000` → `3,000,000`. */
export const formatCount = (count: number): string => WHOLE.format(count);

/** A measured number to five significant digits, with thousands separators: `1234.5678` → `1,234.6`. */
export function formatMeasure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(2);
  return size >= 10_000 ? WHOLE.format(value) : SIGNIFICANT.format(value);
}

/** Decimal units, three significant digits: `1234567` → `1.23 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** power;
  const rounded = Number(value.toPrecision(3));
  if (rounded >= 1000 && power < BYTE_UNITS.length - 1) return `1 ${BYTE_UNITS[power + 1]}`;
  return `${rounded} ${BYTE_UNITS[power]}`;
}

/** A limit set in powers of two, exactly: `8388608` → `8 MiB`; other numbers of bytes are written out. */
export function formatBinaryBytes(bytes: number): string {
  const power = [30, 20, 10].find((exponent) => bytes >= 2 ** exponent && bytes % 2 ** exponent === 0);
  return power === undefined
    ? `${formatCount(bytes)} bytes`
    : `${formatCount(bytes / 2 ** power)} ${{ 30: "GiB", 20: "MiB", 10: "KiB" }[power]}`;
}

/** How long something took: `3.24` → `3.2 s`, `75` → `1 min 15 s`, `7500` → `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < MINUTE_S) return `${seconds < 10 ? Math.max(0.1, Number(seconds.toFixed(1))) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / MINUTE_S);
  return minutes < 60 ? `${minutes} min ${whole % MINUTE_S} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `0.1234` → `12.3%`. A nonzero share is never shown as 0%, nor one below 1 as 100%. */
export function formatShare(share: number): string {
  if (share <= 0) return "0%";
  if (share >= 1) return "100%";
  if (share < 0.001) return "<0.1%";
  if (share > 0.999) return ">99.9%";
  return `${Number((share * 100).toFixed(1))}%`;
}

/** How long before `now` an instant was: `3 days ago`; `just now` within a minute and for the future. */
export function formatAge(iso: string, now: Date): string {
  const span = spanText(now.getTime() - Date.parse(iso));
  return span ? `${span} ago` : "just now";
}

/** How long after `now` an instant comes: `in 3 days`; `in a moment` within a minute and for the past. */
export function formatUntil(iso: string, now: Date): string {
  const span = spanText(Date.parse(iso) - now.getTime());
  return span ? `in ${span}` : "in a moment";
}

/** `3 days`; undefined below a minute. */
function spanText(ms: number): string | undefined {
  const seconds = Math.floor(ms / 1000);
  const age = AGES.find((entry) => seconds >= entry.seconds);
  return age && formatPlural(Math.floor(seconds / age.seconds), age.unit);
}

/** `2026-11-20T13:54:46.000Z` → `2026-11-20 13:54:46 UTC`. */
export const formatUtc = (iso: string): string =>
  new Date(iso)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");

/** `2026-11-20T13:54:46.000Z` → `20 Nov 2026`, in UTC. */
export const formatDay = (iso: string): string => DAY.format(new Date(iso));

const LISTS = {
  or: new Intl.ListFormat("en-GB", { type: "disjunction" }),
  and: new Intl.ListFormat("en-GB", { type: "conjunction" }),
} as const;

/** `CSV`, `CSV or Arrow`, `CSV, NDJSON or Arrow`. */
export const formatList = (items: readonly string[], last: keyof typeof LISTS): string => LISTS[last].format(items);

/** `1 table`, `2 tables`, `3,000,000 rows`; `many` for plurals that do not just add an s. */
export const formatPlural = (count: number, noun: string, many = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : many}`;

/**
 * Separates the thousands of a whole number written in digits, exactly, whatever its size; other text is returned as it
 * is.
 */
export function groupDigits(text: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(text);
  if (!match) return text;
  const whole = match[2] ?? "";
  const first = whole.length % 3 || 3;
  return `${match[1]}${whole.slice(0, first)}${whole.slice(first).replace(/\d{3}/g, ",$&")}${match[3] ?? ""}`;
}

const LONG_NUMBER = 12;

/** A number's text for people, rounded to six digits if it is a long fraction: `35.666666666666664` → `35.6667`. */
export const shortFraction = (digits: string): string =>
  digits.length > LONG_NUMBER && digits.includes(".") && Number.isFinite(Number(digits))
    ? String(Number(Number(digits).toPrecision(6)))
    : digits;

/** A title or name on one line, whatever was stored: `"Rain\n# Owned"` → `"Rain # Owned"`. */
export const oneLine = (text: string): string => text.replace(/[\s\u0085]+/g, " ").trim();
