import { pointerTo } from "@/lib/engine/grammar/pointer";
import { type Fault, failWith } from "@/lib/kernel/errors";

const SHOWN_MAX = 100;

/** One fault for each string, name or value, of an input that the database cannot store. */
export function unstorableFaults(value: unknown, pointer = ""): Fault[] {
  if (typeof value === "string") return faultOf(value, pointer);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = pointer + pointerTo(name);
    return [...faultOf(name, at), ...unstorableFaults(member, at)];
  });
}

function faultOf(text: string, pointer: string): Fault[] {
  const why = unstorableText(text);
  const what = pointer === "" ? "The body" : pointer.replace(/^[/?]/, "").slice(0, SHOWN_MAX);
  return why === undefined ? [] : [{ pointer, code: "invalid_value", message: `${what} ${why}.` }];
}

/** Fails with invalid_value if a string of the input cannot be stored. */
export function requireStorable(...parts: readonly unknown[]): void {
  const faults = parts.flatMap((part) => unstorableFaults(part));
  if (faults.length > 0) throw failWith(faults);
}

/** Why PostgreSQL cannot store a string, in words that continue a sentence; undefined if it can. */
function unstorableText(text: string): string | undefined {
  if (text.includes("\0")) return "contains the character U+0000 (NUL), which cannot be stored. Remove it";
  if (!text.isWellFormed()) return "contains half a character (an unpaired surrogate). Remove it";
  return undefined;
}
