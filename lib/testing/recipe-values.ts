/** The kind of a cell while a recipe is evaluated, which decides how its value is represented. */
export type Family = "text" | "int" | "dec" | "float" | "bool" | "date" | "ts" | "json" | "list";

/** Decimals are whole numbers of their scale, days count from 1970, instants are microseconds since then. */
export type Value = null | string | boolean | bigint | number | readonly Value[];

export interface Typed {
  family: Family;
  /** Of decimals. */
  scale: number;
  value: Value;
}

export const typed = (family: Family, value: Value, scale = 0): Typed => ({ family, value, scale });

export const DAY_US = 86_400_000_000n;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

export const floorDiv = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
export const floorMod = (a: bigint, b: bigint): bigint => a - floorDiv(a, b) * b;
export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** A whole number of one scale converted to another; halves are rounded away from zero. */
export function rescaled(value: bigint, from: number, to: number): bigint {
  if (to >= from) return value * 10n ** BigInt(to - from);
  const unit = 10n ** BigInt(from - to);
  const rounded = (magnitude(value) + unit / 2n) / unit;
  return value < 0n ? -rounded : rounded;
}

export function asFloat({ family, value, scale }: Typed): number | null {
  if (value === null) return null;
  return family === "dec" ? Number(value) / 10 ** scale : Number(value);
}

const familyOf = (families: readonly Family[]): Family => {
  if (families.includes("float")) return "float";
  return families.includes("dec") ? "dec" : (families[0] ?? "text");
};

/** The values in their common type. */
export function common(values: readonly Typed[]): Typed[] {
  const family = familyOf(values.map((each) => each.family));
  const scale = family === "dec" ? Math.max(...values.map((each) => each.scale)) : 0;
  return values.map((each) => converted(each, family, scale));
}

export function converted(each: Typed, family: Family, scale: number): Typed {
  if (each.value === null || (each.family === family && each.scale === scale)) return typed(family, each.value, scale);
  if (family === "float") return typed(family, asFloat(each));
  return typed(family, rescaled(each.value as bigint, each.scale, scale), scale);
}

/** Negative, zero or positive. Strings are compared by their UTF-8 bytes, which is the order of code points. */
export function compareValues(a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

export const dayOf = (days: bigint): Date => new Date(Number(days) * 86_400_000);
export const daysOf = (year: number, month: number, day: number): bigint => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return BigInt(Math.floor(date.getTime() / 86_400_000));
};

/** Undefined for a string that is not a calendar day. */
export function readDay(text: string): bigint | undefined {
  const [, year, month, day] = ISO_DAY.exec(text) ?? [];
  if (year === undefined) return undefined;
  const days = daysOf(Number(year), Number(month), Number(day));
  return Number(year) > 0 && dayText(days) === text ? days : undefined;
}

export const dayText = (days: bigint): string => dayOf(days).toISOString().slice(0, 10);

function decimalText(value: bigint, scale: number): string {
  if (scale === 0) return String(value);
  const digits = String(magnitude(value)).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function instantText(micros: bigint): string {
  const whole = new Date(Number(floorDiv(micros, 1000n))).toISOString().slice(0, 19).replace("T", " ");
  const rest = floorMod(micros, 1_000_000n);
  return `${whole}${rest === 0n ? "" : `.${String(rest).padStart(6, "0").replace(/0+$/, "")}`}+00`;
}

/** As DuckDB prints the cell of a file; a float as JavaScript does. */
export function printed({ family, value, scale }: Typed): string | null {
  if (value === null) return null;
  if (family === "dec") return decimalText(value as bigint, scale);
  if (family === "date") return dayText(value as bigint);
  if (family === "ts") return instantText(value as bigint);
  return String(value);
}
