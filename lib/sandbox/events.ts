import type { BuildEvent, BuildOutcome } from "@/lib/builds/plan";
import type { FailureLocation } from "@/lib/readers/failure";
import type { DecodedSource } from "./decode-source";
import type { SandboxFailureCode } from "./failure";
import type { SourceFound } from "./inspect-source";
import type { SealedDigest } from "./sealed-files";

/** One line of JSON on the child's standard output. */
export type SandboxEvent =
  | Exclude<BuildEvent, { failed: unknown } | { done: true }>
  | { decoded: DecodedSource }
  | { failed: { code: SandboxFailureCode; message: string; at: FailureLocation } }
  | { done: true };

/** `outcome.json` in the run's folder, written before the child says that it is done. */
export interface SandboxOutcome {
  sources: DecodedSource[];
  /** Null if sources were only decoded. */
  build: BuildOutcome | null;
  /** The digest of each file that the build created. */
  sealed: SealedDigest[];
  /** Present if the plan requested an inspection. */
  inspection?: SourceFound;
}

export const OUTCOME_FILE = "outcome.json";
export const PLAN_FILE = "plan.json";
/** Exit code of a child whose last line says what failed. */
export const FAILED_EXIT = 3;
export const LINES_MAX = 10_000;
/** A longer line is not taken. */
export const LINE_CHARACTERS_MAX = 64 * 1024;
