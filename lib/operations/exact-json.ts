import { LosslessNumber, parse, stringify } from "lossless-json";

/** Parses JSON; a number that a double cannot hold digit for digit becomes a LosslessNumber. */
export function parseExactJson(text: string): unknown {
  return parse(text, null, (digits) => (String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits)));
}

/** Writes JSON, LosslessNumbers with their own digits. */
export function stringifyExactJson(value: unknown): string {
  return stringify(value) ?? "null";
}
