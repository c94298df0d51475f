import type { BuildEvent, BuildFailureCode, BuildOutcome } from "@/lib/builds/plan";
import type { ContainerFound } from "@/lib/readers/containers/opened-source";
import { type FailureLocation, ReadFailure, type ReadFailureCode } from "@/lib/readers/failure";
import type { Inspection } from "@/lib/readers/proposals/inspect";
import type { SheetFound } from "@/lib/readers/proposals/sheet-heads";
import type { SuggestedTable } from "@/lib/readers/proposals/suggested-table";
import type { StagedSource } from "@/lib/readers/staged-source";

export interface SealedDigest {
  table: string;
  /** Relative to the run's folder. */
  path: string;
  sha256: string;
  bytes: number;
}

/** The sandbox's findings about a source. */
export interface SourceFound extends Inspection {
  containers: ContainerFound[];
  sheets?: SheetFound[];
  /** Whether the proposed or given reader read the part. If so, `columns` and `rows` are its result. */
  isTried: boolean;
  /** Whether the rows of the part are all rows of the source. */
  isAll: boolean;
  /** Bytes that were inspected, after unpacking. */
  bytes: number;
  table: SuggestedTable;
}

/** A decoded source, with digests that show whether its rows changed. */
export interface DecodedSource extends StagedSource {
  /** SHA-256 of the rows' text form and the columns' names, which is unchanged if only the raw bytes changed. */
  rowsDigest: string;
  /** Like `parts`, with each part's own digest. */
  partDigests: { partition: string | null; member: string | null; rows: number; rowsDigest: string }[];
  /** What the source states about its number of records, if that may differ from what was read. */
  remarks?: string[];
}

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
