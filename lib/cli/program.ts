import { Command, CommanderError } from "commander";
import { Failure } from "@/lib/kernel/errors";
import { addAuditCommand } from "./audit-command";
import { addBackupCommands } from "./backup-commands";
import { addCareCommands } from "./care-commands";
import { addDatasetCommands } from "./dataset-commands";
import { addKeyCommands } from "./key-commands";
import { addMaintenanceCommands } from "./maintenance-commands";
import { report } from "./output";
import { addPublishCommand } from "./publish-command";
import { CommandError } from "./remote/command-error";
import { addSignInCommands } from "./remote/sign-in-commands";
import { addSkillCommands } from "./remote/skill-commands";
import { addToolCommands } from "./remote/tool-commands";
import { addSecretCommands } from "./secret-commands";
import { addShowcaseCommand } from "./showcase-command";
import { addSourcesCommands } from "./sources-commands";
import { addUserCommands } from "./user-commands";
import { addVersionCommands } from "./version-commands";
import { addWorkspaceCommands } from "./workspace-commands";

/** For a person with a service somewhere else. */
const READING = [addSignInCommands, addToolCommands, addSkillCommands];

/** For who runs a service: on its data folder and database. */
const RUNNING = [
  addPublishCommand,
  addShowcaseCommand,
  addDatasetCommands,
  addVersionCommands,
  addSourcesCommands,
  addUserCommands,
  addWorkspaceCommands,
  addKeyCommands,
  addSecretCommands,
  addAuditCommand,
  addMaintenanceCommands,
  addBackupCommands,
  addCareCommands,
];

/** Every command. */
export function buildProgram(): Command {
  const program = new Command("parquetry")
    .description("Publishes open datasets as immutable Parquet versions and serves them.")
    .showHelpAfterError()
    .exitOverride();
  program.commandsGroup("Read a service, from any computer:");
  for (const add of READING) add(program);
  program.commandsGroup("Run a service, on its own machine:");
  for (const add of RUNNING) add(program);
  return program;
}

/** Runs one command with its arguments. What goes wrong is written for a person, and told by `process.exitCode`. */
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
  return error instanceof CommandError ? error.exitCode : 1;
}
