import { Command, CommanderError } from "commander";
import { redact } from "@/lib/http/redact";
import { Failure } from "@/lib/kernel/errors";
import type { AnyOperation } from "@/lib/operations/operation";
import { OPERATIONS } from "@/lib/operations/registry";
import { addBackupCommands } from "./backup-commands";
import { addCareCommands } from "./care-commands";
import { addOperationCommands } from "./operation-commands";
import { report } from "./output";
import { addPublishCommand } from "./publish-command";
import { addBuildCommands } from "./remote/build-commands";
import { addBuildDatasetCommands } from "./remote/build-dataset-commands";
import { CommandError } from "./remote/command-error";
import { addRecipeCommands } from "./remote/recipe-commands";
import { addRunCommands } from "./remote/run-commands";
import { addScheduleCommands } from "./remote/schedule-commands";
import { addSignInCommands } from "./remote/sign-in-commands";
import { addSkillCommands } from "./remote/skill-commands";
import { addToolCommands } from "./remote/tool-commands";
import { addUploadCommand } from "./remote/upload-command";
import { addUploadsCommands } from "./remote/uploads-commands";
import { addShowcaseCommand } from "./showcase-command";
import { addWorkerCommand } from "./worker-command";

/** For a person who uses a service on another computer. */
const READING = [
  addSignInCommands,
  addToolCommands,
  addBuildCommands,
  addRecipeCommands,
  addRunCommands,
  addBuildDatasetCommands,
  addScheduleCommands,
  addUploadCommand,
  addUploadsCommands,
  addSkillCommands,
];

const PUBLISHING = [addPublishCommand, addShowcaseCommand];

/** For the administrator: on the service's data folder and database. */
const RUNNING = [addBackupCommands, addCareCommands, addWorkerCommand];

/** Every command; `operations` are those whose `cli` parts are commands. */
export function buildProgram(operations: readonly AnyOperation[] = OPERATIONS): Command {
  const program = new Command("parquetry")
    .description("Publishes open datasets as immutable Parquet versions and serves them.")
    .showHelpAfterError()
    .exitOverride();
  program.commandsGroup("Read a service, from any computer:");
  for (const add of READING) add(program);
  program.commandsGroup("Run a service, on its own machine:");
  for (const add of PUBLISHING) add(program);
  addOperationCommands(program, operations);
  for (const add of RUNNING) add(program);
  return program;
}

/** Runs one command with its arguments. Prints errors for a person and sets `process.exitCode`. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync(args, { from: "user" });
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
