import { randomBytes } from "node:crypto";
import { isLosslessNumber } from "lossless-json";
import { processWide } from "@/lib/kernel/process-wide";

/**
 * The protocol library writes JSON itself and would round: exact numbers pass through it as unguessable strings, and
 * become numbers again in the finished body.
 */
const mark = (): string => processWide("exact-number-mark", () => `exact:${randomBytes(16).toString("hex")}:`);

/** A value for the protocol library: each LosslessNumber as a marked string. */
export function markNumbers(value: unknown): unknown {
  return mapNumbers(value, (digits) => `${mark()}${digits}`);
}

/** The library's JSON with the marked strings as numbers, digit for digit. */
export function unmarkNumbers(json: string): string {
  return json.replaceAll(new RegExp(`"${mark()}(-?[0-9.eE+-]+)"`, "g"), "$1");
}

/** A parsed body with plain numbers, for the protocol library. */
export const plainNumbers = (value: unknown): unknown => mapNumbers(value, Number);

function mapNumbers(value: unknown, write: (digits: string) => unknown): unknown {
  if (isLosslessNumber(value)) return write(value.value);
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, write));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapNumbers(item, write)]));
}
