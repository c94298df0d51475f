import { LosslessNumber, parse, stringify } from "lossless-json";

/**
 * Parses JSON. A number that a double cannot hold digit for digit becomes a LosslessNumber. For a duplicate name the
 * last value counts, as with JSON.parse.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, null, {
    parseNumber: (digits) => (String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Writes JSON, with LosslessNumbers digit for digit. */
export function stringifyExactJson(value: unknown, indent?: number): string {
  return stringify(value, null, indent) ?? "null";
}
