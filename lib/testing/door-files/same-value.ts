import { isLosslessNumber, parse } from "lossless-json";
import { parseColumnType } from "@/lib/engine/types/column-types";
import type { Kind, Said } from "./door-file";

/** Undefined if each value of a column of this type is what the file says. */
export function differenceOfColumn(
  { name, as, cells, means, isOfSheet }: Said,
  type: string,
  values: readonly (string | null)[],
): string | undefined {
  const isText = type === "string";
  const kind = kindOf(type);
  if (!isText && !fits(kind, as) && values.some((value) => value !== null))
    return `${JSON.stringify(name)} is ${type}, not ${as ?? "text"}`;
  for (const [at, value] of values.entries()) {
    const [cell, meaning] = [cells[at] ?? null, means[at] ?? null];
    const isSame =
      (isText ? sameText(value, cell, meaning, as) : sameValue(value, meaning, as)) ||
      (isOfSheet && value !== null && meaning !== null && sameInSheet(value, meaning));
    if (!isSame)
      return (
        `${JSON.stringify(name)} row ${at + 1}: ${JSON.stringify(value)} (${type}), ` +
        `not ${JSON.stringify(isText ? cell : meaning)}`
      );
  }
  return undefined;
}

const fits = (kind: Kind | undefined, as: Kind | undefined): boolean =>
  kind === as ||
  (kind === "number" && as === "float") ||
  (kind === "json" && as === "number") || // numbers of JSON whose digits no type has
  (kind === "timestamp" && as === "date");

function kindOf(type: string): Kind | undefined {
  const family = parseColumnType(type)?.family;
  if (family === "numeric") return "number";
  if (family === "opaque" && type !== "binary") return "json";
  return family === "date" || family === "timestamp" || family === "time" || family === "boolean" ? family : undefined;
}

/** A string is the cell's text. Sources without text, such as Parquet, write times in one of several ways. */
function sameText(value: string | null, cell: string | null, meaning: string | null, as: Kind | undefined): boolean {
  if (value === cell) return true;
  if (value === null) return meaning === null;
  if (cell === null) return false;
  return as === "timestamp" && cell === meaning && timeKey(value) === timeKey(cell);
}

function sameValue(value: string | null, meaning: string | null, as: Kind | undefined): boolean {
  if (value === null || meaning === null) return value === meaning;
  switch (as) {
    case "number":
      return decimalKey(value) === decimalKey(meaning);
    case "float":
      return floatKey(value) === floatKey(meaning);
    case "json":
      return jsonKey(value) === jsonKey(meaning);
    case "boolean":
      return value.toLowerCase() === meaning.toLowerCase();
    case "date":
      return timeKey(value).replace(/ 00:00:00$/, "") === meaning;
    default:
      return timeKey(value) === timeKey(meaning);
  }
}

/** Excel writes 17 digits, which stand for the double that is nearest to them. */
function sameInSheet(value: string, meaning: string): boolean {
  if (decimalKey(value) === decimalKey(meaning)) return true;
  const double = Number(meaning);
  return decimalKey(double.toPrecision(17)) === decimalKey(meaning) && Number(value) === double;
}

const floatKey = (text: string): string => (/^-0(?:\.0*)?$/.test(text) ? "-0" : decimalKey(text));

/** One form of a number: its digits without zeros around them, and the power of ten. */
export function decimalKey(text: string): string {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text.trim());
  if (!match) return text.trim().toLowerCase();
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - short.length;
  return `${sign === "-" ? "-" : ""}${short}e${power}`;
}

const timeKey = (text: string): string =>
  text
    .replace("T", " ")
    .replace(/(?:Z|\+00(?::?00)?)$/, "")
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

/** One form of a JSON text: numbers by their value, members by name. */
export function jsonKey(text: string): string {
  try {
    return JSON.stringify(keyed(parse(text)));
  } catch {
    return text;
  }
}

function keyed(value: unknown): unknown {
  if (isLosslessNumber(value)) return { number: decimalKey(value.toString()) };
  if (Array.isArray(value)) return value.map(keyed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, keyed(member)]);
}
