import { RE2JS } from "re2js";
import type { Fault } from "@/lib/kernel/errors";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { patternFault } from "./patterns";

/** Faults in the patterns of a source's reader, compiled by the engine that runs them. */
export function readerPatternFaults(source: RecipeSource, pointer: string): Fault[] {
  if (source.kind === "table") return [];
  const { options } = source.reader;
  const found: [at: string, pattern: string][] = [];
  if ("header" in options && options.header !== "none" && options.header.drop_text !== undefined)
    found.push(["header/drop_text", options.header.drop_text]);
  if ("stop_at" in options && options.stop_at && "matches" in options.stop_at)
    found.push(["stop_at/matches", options.stop_at.matches]);
  if ("sheet" in options && typeof options.sheet === "object") found.push(["sheet/matches", options.sheet.matches]);
  return found.flatMap(([at, pattern]) => {
    const message = patternFault(pattern) ?? compileFault(pattern);
    return message === undefined
      ? []
      : [{ pointer: `${pointer}/reader/options/${at}`, code: "invalid_value" as const, message }];
  });
}

function compileFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `Invalid pattern: ${(error as Error).message.slice(0, 200)}`;
  }
}
