import type { BuildEvent, BuildFailureCode, BuildOutcome } from "@/lib/builds/plan";
import { type FailureLocation, ReadFailure, type ReadFailureCode } from "@/lib/readers/failure";
import type { DecodedSource } from "./decode-source";
import type { SourceFound } from "./inspect-source";
import type { SealedDigest } from "./main";

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

/** Codes of failures found before a build runs, or caused by the sandbox's limits. */
export type SandboxFailureCode =
  | BuildFailureCode
  | ReadFailureCode
  | "source_too_large"
  | "pages_incomplete"
  | "memory_exceeded"
  | "time_exceeded"
  | "sandbox_crashed"
  | "cancelled";

/** A failure with a code, for the person whose recipe or file caused it. */
export class SandboxFailure extends ReadFailure<SandboxFailureCode> {}
