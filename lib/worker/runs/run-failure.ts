import { isDiskFull } from "@/lib/kernel/disk-full";
import type { RunFailureCode } from "@/lib/schemas/run";
import type { SourceFailure } from "@/lib/sources/source-failure";
import { isDatabaseFull } from "@/lib/store/postgres/database-failure";

/** A named failure that ends a run. Data, sources or limits are at fault, not the service. */
export class RunFailure extends Error {
  readonly code: RunFailureCode;
  readonly data: Readonly<Record<string, string | number>>;

  /** The message is for a person. It contains no secret, path or SQL. */
  constructor(code: RunFailureCode, message: string, data: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = "RunFailure";
    this.code = code;
    this.data = data;
  }
}

/** The run failure that results from a source's failure. */
export const runFailureOf = ({ code, message, status }: SourceFailure, source: string): RunFailure =>
  new RunFailure(code, message, { source, ...(status !== undefined && { status }) });

/** The failure of a run or an inspection when the service's own disk is full; undefined for other errors. */
export function fullDisk(error: unknown): RunFailure | undefined {
  if (!isDiskFull((error as NodeJS.ErrnoException | null)?.code) && !isDatabaseFull(error)) return undefined;
  return new RunFailure("disk_exceeded", "The disk of the service is full. The administrator must free space first.");
}

/** Another worker has the run, or somebody cancelled it. Nothing more is written. */
export class Interrupted extends Error {
  readonly why: "lost" | "cancel" | "stop";

  constructor(why: Interrupted["why"]) {
    super(`interrupted: ${why}`);
    this.why = why;
  }
}

const TEXT_MAX = 500;

/** Text from data or a server in the form in which it may be stored: short and without control characters. */
export const cleanText = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, TEXT_MAX)
    .toWellFormed();
