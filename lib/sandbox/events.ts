import type { BuildEvent, BuildOutcome } from "@/lib/builds/plan";
import type { DecodedSource } from "./decode-source";
import type { FailurePlace, SandboxFailureCode } from "./failure";
import type { SourceFound } from "./inspect-source";
import type { SealedDigest } from "./sealed-files";

/** One line of JSON on the child's standard output. */
export type SandboxEvent =
  | Exclude<BuildEvent, { failed: unknown } | { done: true }>
  | { decoded: DecodedSource }
  | { failed: { code: SandboxFailureCode; message: string; at: FailurePlace } }
  | { done: true };

/** `outcome.json` in the run's folder, written before the child says that it is done. */
export interface SandboxOutcome {
  sources: DecodedSource[];
  /** Null where only sources were to be decoded. */
  build: BuildOutcome | null;
  /** Of each file that the build made. */
  sealed: SealedDigest[];
  /** Where the plan asked for one. */
  inspection?: SourceFound;
}

export const OUTCOME_FILE = "outcome.json";
export const PLAN_FILE = "plan.json";
/** How the child ends when its last line says what failed. */
export const FAILED_EXIT = 3;
export const LINES_MAX = 10_000;
