import { isDiskFull } from "@/lib/kernel/disk-full";
import type { RunFailureCode } from "@/lib/schemas/run";
import type { SourceFailure } from "@/lib/sources/source-failure";
import { isDatabaseFull } from "@/lib/store/database";

/** A run that ends by name: data, sources or limits are at fault, not the service. */
export class RunFailure extends Error {
  readonly code: RunFailureCode;
  readonly data: Readonly<Record<string, string | number>>;

  /** The message is for a person; it holds no secret, path or SQL. */
  constructor(code: RunFailureCode, message: string, data: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = "RunFailure";
    this.code = code;
    this.data = data;
  }
}

/** What a source's failure makes of its run. */
export const runFailureOf = ({ code, message, status }: SourceFailure, source: string): RunFailure =>
  new RunFailure(code, message, { source, ...(status !== undefined && { status }) });

/** What no space left on the service's own disk makes of a run or an inspection; undefined for other errors. */
export function fullDisk(error: unknown): RunFailure | undefined {
  if (!isDiskFull((error as NodeJS.ErrnoException | null)?.code) && !isDatabaseFull(error)) return undefined;
  return new RunFailure("disk_exceeded", "The disk of the service is full. Its administrator has to free space first.");
}

/** Another worker has the run, or somebody cancelled it: nothing is written any more. */
export class Interrupted extends Error {
  readonly why: "lost" | "cancel" | "stop";

  constructor(why: Interrupted["why"]) {
    super(`interrupted: ${why}`);
    this.why = why;
  }
}

const TEXT_MAX = 500;

/** Text that came from data or a server, as it may be stored: without control characters, and not long. */
export const cleanText = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, TEXT_MAX);
