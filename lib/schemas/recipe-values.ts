import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { z } from "zod";
import { parseExact, wholeNumber } from "@/lib/engine/types/exact-number";
import { secondsOf } from "@/lib/kernel/duration-text";

/** A whole number in a recipe, whose document keeps the digits of every number. */
export const wholeSchema = (min: number, max: number) =>
  z
    .custom<LosslessNumber>(isLosslessNumber, "Expected a whole number.")
    .meta({ type: "integer", minimum: min, maximum: max })
    .transform((raw, context) => {
      const value = wholeNumber(raw.value);
      if (value !== undefined && value >= min && value <= max) return value;
      context.addIssue({ code: "custom", message: `Expected a whole number from ${min} to ${max}.` });
      return z.NEVER;
    });

/** Any number in a recipe, with the digits as written. */
export const numberSchema = z
  .custom<LosslessNumber>(isLosslessNumber, "Expected a number.")
  .refine(({ value }) => parseExact(value) !== undefined, "Expected a number of at most 1,000 characters.")
  .meta({ type: "number" });

/** A string, number or boolean. Numbers keep their digits. */
export const scalarSchema = z.union([z.string().max(4096), numberSchema, z.boolean()]);

/** A name inside the recipe: of a source or of a table. */
export const recipeNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "Use a lowercase letter followed by at most 62 of a-z, 0-9 and _.");

export const columnNameSchema = z.string().min(1).max(200).describe("A column name, case-sensitive.");

export const noteSchema = z.string().max(500).describe("A note for readers of the recipe; has no effect.").optional();

/** RFC 6901. */
export const pointerSchema = z
  .string()
  .max(500)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, "Use a JSON Pointer (RFC 6901), such as /data/items, or an empty string.");

export const PATTERN_LENGTH_MAX = 300;

/** Its syntax is checked by `patternFault` of lib/builds, and by DuckDB when the recipe is registered. */
export const patternSchema = z.string().min(1).max(PATTERN_LENGTH_MAX).describe("A regular expression in RE2 syntax.");

export const globSchema = z.string().min(1).max(300).describe("A file name with * and ? for parts of it.");

const DURATION =
  /^P(?=\d|T\d)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}W)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?$/;

/** Calendars end some 270,000 years from now, and sums of durations must not. */
const DURATION_SECONDS_MAX = secondsOf("P1000Y");

export const durationSchema = z
  .string()
  .regex(DURATION, {
    error: "Use an ISO 8601 duration of whole units, such as P1W, P1M or PT15M.",
    abort: true,
  })
  .refine((text) => secondsOf(text) <= DURATION_SECONDS_MAX, "Use a duration of at most 1,000 years.");

/** The time between two ticks of a schedule. */
export const periodSchema = durationSchema.refine(
  (text) => secondsOf(text) >= secondsOf("PT1M"),
  "Use a duration of at least one minute.",
);

/** A local date and time to the minute, without a zone. */
export const localMinuteSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d$/, {
    error: "Use a local date and time, such as 2026-01-05T06:00.",
    abort: true,
  })
  .refine((text) => isDay(text.slice(0, 10)), "There is no such day. Use a date such as 2026-01-05T06:00.");

export const zoneSchema = z
  .string()
  .max(64)
  .refine(isZone, "Use a time zone of the IANA database, such as Europe/Berlin or UTC.");

export const localeSchema = z
  .string()
  .max(35)
  .refine(isLocale, "Use a language tag (BCP 47), such as de, pt-PT or pl.");

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

export const daySchema = z.string().refine(isDay, "Use a date, YYYY-MM-DD.");

/** A count, or a share such as `0.5%`. */
export const shareLimitSchema = z.union([
  wholeSchema(0, 1_000_000_000),
  z.string().regex(/^(?:100|\d{1,2}(?:\.\d{1,6})?)%$/, 'Use a whole number, or a share such as "0.5%".'),
]);

/** A share of the previous rows, which may exceed all of them: `20%`, `300%`. */
export const percentSchema = z.string().regex(/^\d{1,5}(?:\.\d{1,6})?%$/, 'Use a share such as "20%".');

export const webAddressSchema = z
  .url({ protocol: /^https?$/, error: "Use a URL that starts with https:// or http://." })
  .max(2000);

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Whether a date exists, of the form YYYY-MM-DD and the years 0001 to 9999. */
export function isDay(text: string): boolean {
  if (!DAY.test(text) || text.startsWith("0000")) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
