import { z } from "zod";
import type { MonthNames } from "@/lib/builds/lock";
import type { CellRule } from "@/lib/builds/steps/cell-rule";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { localeSchema, wholeSchema, zoneSchema } from "@/lib/schemas/recipe-values";
import { partsOf, readTokens, type Tokens, tokensFault } from "./date-tokens";

export const dateFormatSchema = z.strictObject({
  formats: z.array(z.string().min(1).max(100)).max(10).default([]),
  locale: localeSchema.optional(),
  two_digit_pivot: wholeSchema(0, 99).default(69),
  excel: z.union([wholeSchema(1900, 1900), wholeSchema(1904, 1904)]).optional(),
  epoch: z.enum(["s", "ms", "us"]).optional(),
  time_zone: zoneSchema.optional(),
  ambiguous: z.enum(["error", "earlier", "later"]).default("error"),
  gap: z.enum(["error", "later"]).default("error"),
  part: z.enum(["start", "end"]).default("start"),
});
export type DateFormat = z.output<typeof dateFormatSchema>;
export type TimeKind = "date" | "time" | "timestamp";

/** What is wrong with a format for a kind of time, and where in `date`. */
export function dateFormatFault(format: DateFormat, kind: TimeKind): { at: string; message: string } | undefined {
  const numeric = [format.excel, format.epoch].filter((each) => each !== undefined).length;
  if (format.formats.length === 0 && numeric === 0)
    return { at: "/formats", message: "Give at least one format, such as %Y-%m-%d." };
  if (numeric > 1) return { at: "/epoch", message: "Give excel or epoch, not both." };
  if (numeric > 0 && kind === "time") return { at: "/excel", message: "excel and epoch are for dates and timestamps." };
  const faults = format.formats.map((text) => tokensFault(text, kind));
  const index = faults.findIndex((fault) => fault !== undefined);
  return index < 0 ? undefined : { at: `/formats/${index}`, message: faults[index] ?? "" };
}

/**
 * Reads cells as dates, times or timestamps. The first format whose pattern matches decides; a day that does not exist
 * is an error. `months` are those of the locale, or English without one.
 */
export function dateRule(format: DateFormat, kind: TimeKind, months: MonthNames): CellRule {
  const tokens = format.formats.map((text) => readTokens(text, months));
  const numeric = numericSql(format, kind);
  return {
    below: (ref, name) => {
      const groups = tokens.map(
        (each, at) =>
          `CASE WHEN regexp_full_match(${ref}, ${each.pattern}) THEN regexp_extract(${ref}, ` +
          `${each.pattern}, [${each.names.join(", ")}]) END AS ${name}g${at}`,
      );
      const parsed = tokens.map(
        (each, at) =>
          `CASE WHEN ${name}g${at} IS NOT NULL THEN ` +
          `${valueSql(each, `${name}g${at}`, format, kind, months)} END AS ${name}x${at}`,
      );
      const firsts = [
        ...tokens.map((_, at) => `WHEN ${name}g${at} IS NOT NULL THEN ${name}x${at}`),
        ...(numeric ? [`WHEN ${numeric.fits(ref)} THEN ${numeric.value(ref)}`] : []),
      ];
      const local = `CASE ${firsts.join(" ")} END AS ${name}l`;
      return [
        ...(groups.length > 0 ? [groups.join(", "), parsed.join(", ")] : []),
        local,
        ...(needsZone(format, kind) ? inZone(`${name}l`, name, format.time_zone ?? "UTC", format) : []),
      ];
    },
    value: (ref) => boundedSql(needsZone(format, kind) ? `v${ref.slice(1)}z` : `v${ref.slice(1)}l`, kind),
    isBad: (_ref, value) =>
      needsZone(format, kind) ? `(${value} IS NULL OR ${isBadInZone(value, format)})` : `${value} IS NULL`,
    reason:
      format.formats.length === 1
        ? `is not a ${kind} in the format ${format.formats[0]}`
        : `is not a ${kind} in any of the formats`,
  };
}

/** Formats with a zone give instants directly. All others are local times in `time_zone`. */
const needsZone = (format: DateFormat, kind: TimeKind): boolean =>
  kind === "timestamp" && format.time_zone !== undefined && format.time_zone !== "UTC";

const boundedSql = (x: string, kind: TimeKind): string => {
  if (kind === "date") return `CASE WHEN ${x} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN ${x} END`;
  if (kind === "time") return x;
  return (
    `CASE WHEN ${x} BETWEEN TIMESTAMPTZ '0001-01-01 00:00:00+00' AND TIMESTAMPTZ '9999-12-31 ` +
    `23:59:59.999999+00' THEN ${x} END`
  );
};

function valueSql(tokens: Tokens, groups: string, format: DateFormat, kind: TimeKind, months: MonthNames): string {
  const { day, clock, zone } = partsOf(tokens, groups, { pivot: format.two_digit_pivot, part: format.part, months });
  if (kind === "date") return day;
  if (kind === "time") return `TRY_CAST(${clock} AS TIME)`;
  const text = `concat(CAST(${day} AS VARCHAR), ' ', ${clock})`;
  if (zone !== undefined)
    return `CASE WHEN ${day} IS NOT NULL THEN TRY_CAST(concat(${text}, ${zone}) AS TIMESTAMPTZ) END`;
  return `CASE WHEN ${day} IS NOT NULL THEN TRY_CAST(concat(${text}, '+00') AS TIMESTAMPTZ) END`;
}

/** Serial days of a spreadsheet, whose 1900 has a 29 February that did not exist; or units since 1970. */
function numericSql(
  { excel, epoch }: DateFormat,
  kind: TimeKind,
): { fits(x: string): string; value(x: string): string } | undefined {
  if (excel === undefined && epoch === undefined) return undefined;
  const to = (instant: string) => (kind === "date" ? `CAST(${instant} AS DATE)` : instant);
  const number = (x: string) => `CAST(${x} AS DOUBLE)`;
  if (epoch !== undefined) {
    const perSecond = { s: 1, ms: 1000, us: 1_000_000 }[epoch];
    return {
      fits: (x) => `regexp_full_match(${x}, '-?[0-9]{1,16}')`,
      value: (x) => to(`CAST(make_timestamp(CAST(${x} AS BIGINT) * ${1_000_000 / perSecond}) AS TIMESTAMPTZ)`),
    };
  }
  const base = excel === 1904 ? "TIMESTAMP '1904-01-01'" : "TIMESTAMP '1899-12-30'";
  return {
    fits: (x) =>
      `regexp_full_match(${x}, '[0-9]{1,7}([.][0-9]{1,15})?') AND ${excel === 1904 ? "TRUE" : `${number(x)} >= 61`}`,
    value: (x) =>
      to(`CAST(${base} + to_microseconds(CAST(round(${number(x)} * 86400) AS BIGINT) * 1000000) AS TIMESTAMPTZ)`),
  };
}

/**
 * Converts a local time, stored in column `local` as if it were UTC, to an instant of its zone, by layers that end with
 * `<name>z`. DuckDB moves a time that the zone skips forwards, and takes the later of two ambiguous instants. Both
 * cases are detected by casting back, and by the offsets of the surrounding days (`<name>d`: by how much the clock is
 * put back).
 */
function inZone(
  local: string,
  name: string,
  zone: string,
  { ambiguous }: { ambiguous: "error" | "earlier" | "later" },
): string[] {
  const z = quoteLiteral(zone);
  const naive = `make_timestamp(epoch_us(${local}))`;
  const offset = (instant: string) => `(timezone(${z}, ${instant}) - make_timestamp(epoch_us(${instant})))`;
  const back = `${offset(`${name}t - INTERVAL 1 DAY`)} - ${offset(`${name}t + INTERVAL 1 DAY`)}`;
  const earlier = `${name}t - ${name}d`;
  return [
    `${naive} AS ${name}n`,
    `timezone(${z}, ${name}n) AS ${name}t`,
    `CASE WHEN ${back} > INTERVAL 0 SECOND THEN ${back} ELSE INTERVAL 0 SECOND END AS ${name}d, ` +
      `timezone(${z}, ${name}t) <> ${name}n AS ${name}gap`,
    `${name}d > INTERVAL 0 SECOND AND timezone(${z}, ${earlier}) = ${name}n AS ${name}two`,
    `${ambiguous === "earlier" ? `CASE WHEN ${name}two THEN ${earlier} ELSE ${name}t END` : `${name}t`} AS ${name}z`,
  ];
}

/** SQL: whether the recipe rejects the local time. */
function isBadInZone(name: string, { ambiguous, gap }: { ambiguous: string; gap: string }): string {
  const tests = [...(gap === "error" ? [`${name}gap`] : []), ...(ambiguous === "error" ? [`${name}two`] : [])];
  return tests.length === 0 ? "FALSE" : `(${tests.join(" OR ")})`;
}
