import { printable } from "@/lib/cli/printable";

/** Exit statuses of a command for a remote service, besides 0 and 1, for scripts to distinguish. */
export const EXIT = { failed: 1, notSignedIn: 2, unreachable: 3 } as const;

/** An error message for the person at the terminal. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, why: keyof typeof EXIT = "failed") {
    super(printable(message));
    this.exitCode = EXIT[why];
  }
}
