import { LosslessNumber, parse, stringify } from "lossless-json";

/**
 * Parses JSON; a number that a double cannot hold digit for digit becomes a LosslessNumber. Of a name given twice the
 * last value counts, as for JSON.parse.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, null, {
    parseNumber: (digits) => (String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Writes JSON, LosslessNumbers with their own digits. */
export function stringifyExactJson(value: unknown, indent?: number): string {
  return stringify(value, null, indent) ?? "null";
}
