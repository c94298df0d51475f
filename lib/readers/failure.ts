/** Codes of failures that a file or its reader's options cause. */
export type ReadFailureCode =
  | "reader_mismatch"
  | "header_mismatch"
  | "encoding_invalid"
  | "rows_exceeded"
  | "archive_unsafe"
  | "archive_member"
  | "disk_exceeded";

export interface FailureLocation {
  source?: string;
  /** Index of the source's part, from 0. */
  part?: number;
  /** What a person sees in the file: line, row of the sheet, index of the record. */
  row?: number;
}

/** A file that cannot be read as it is. The message says what is wrong, where, and what to do. */
export class ReadFailure<Code extends string = ReadFailureCode> extends Error {
  readonly code: Code;
  readonly at: FailureLocation;
  /** Options of the reader under which this is no failure, but counted. */
  readonly fix: Readonly<Record<string, unknown>> | undefined;

  constructor(code: Code, message: string, at: FailureLocation = {}, fix?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.at = at;
    this.fix = fix;
  }
}

export const mismatch = (message: string, row?: number, fix?: ReadFailure["fix"]): ReadFailure =>
  new ReadFailure("reader_mismatch", message, row === undefined ? {} : { row }, fix);
