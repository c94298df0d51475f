import { printable } from "@/lib/cli/printable";

/** How a command for a remote service ended, besides 0 and 1, for scripts to tell apart. */
export const EXIT = { failed: 1, notSignedIn: 2, unreachable: 3 } as const;

/** What went wrong, in words for the person at the terminal. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, why: keyof typeof EXIT = "failed") {
    super(printable(message));
    this.exitCode = EXIT[why];
  }
}
