import type { BuildFailureCode } from "@/lib/builds/plan";
import { ReadFailure, type ReadFailureCode } from "@/lib/readers/failure";

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
