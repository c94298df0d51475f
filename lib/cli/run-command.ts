import { type Command, CommanderError } from "commander";
import { redact } from "@/lib/http/redact";
import { Failure } from "@/lib/kernel/errors";
import { report } from "./output";
import { CommandError } from "./remote/command-error";

/** Runs one command with its arguments. Prints errors for a person and sets `process.exitCode`. */
export async function runCommand(build: () => Command, args: readonly string[]): Promise<void> {
  try {
    await build().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = fail(error);
  }
}

/** Returns the exit status. */
function fail(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  const message = error instanceof Error ? error.message : String(error);
  report(message);
  if (error instanceof Failure) for (const fault of error.faults) report(`  ${fault.pointer}: ${fault.message}`);
  const cause = error instanceof Failure && error.status >= 500 ? error.cause : undefined;
  if (cause instanceof Error) report(`  Cause: ${redact([cause.name, cause.message].join(": "))}`);
  return error instanceof CommandError ? error.exitCode : 1;
}
