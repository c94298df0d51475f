import type { BuildFailure } from "@/lib/builds/plan";
import { RunFailure } from "./run-failure";

/** A build that failed by its data. */
export function failureOf({ code, message, at }: BuildFailure): RunFailure {
  const place = { table: at.table, ...(at.column !== undefined && { column: at.column }) };
  return new RunFailure(code, message, { ...place, ...(at.pointer !== undefined && { pointer: at.pointer }) });
}
