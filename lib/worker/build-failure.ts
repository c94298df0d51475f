import type { BuildFailure } from "@/lib/builds/plan";
import { RunFailure } from "./run-failure";

/** The run failure for a build that failed because of its data. */
export function failureOf({ code, message, at }: BuildFailure): RunFailure {
  const place = { table: at.table, ...(at.column !== undefined && { column: at.column }) };
  return new RunFailure(code, message, { ...place, ...(at.pointer !== undefined && { pointer: at.pointer }) });
}
