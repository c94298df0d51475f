import type { BuildFailureCode } from "@/lib/builds/plan";

/** Codes of failures found before a build runs, or caused by the sandbox's limits. */
export type SandboxFailureCode =
  | BuildFailureCode
  | "archive_unsafe"
  | "archive_member"
  | "encoding_invalid"
  | "source_too_large"
  | "memory_exceeded"
  | "disk_exceeded"
  | "time_exceeded"
  | "sandbox_crashed"
  | "cancelled";

export interface FailurePlace {
  source?: string;
  /** Index of the source's part, from 0. */
  part?: number;
  /** What a person sees in the file: line, row of the sheet, index of the record. */
  row?: number;
}

/** A failure with a code, for the person whose recipe or file caused it. */
export class SandboxFailure extends Error {
  readonly code: SandboxFailureCode;
  readonly at: FailurePlace;

  constructor(code: SandboxFailureCode, message: string, at: FailurePlace = {}) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

export const mismatch = (message: string, row?: number): SandboxFailure =>
  new SandboxFailure("reader_mismatch", message, row === undefined ? {} : { row });
