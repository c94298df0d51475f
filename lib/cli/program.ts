import { Command } from "commander";
import type { AnyOperation } from "@/lib/operations/operation";
import { OPERATIONS } from "@/lib/operations/registry";
import { addBackupCommands } from "./backup-commands";
import { addCareCommands } from "./care-commands";
import { addOperationCommands } from "./operation-commands";
import { addPublishCommand } from "./publish-command";
import { addRemoteCommands } from "./remote/remote-program";
import { runCommand } from "./run-command";
import { addShowcaseCommand } from "./showcase-command";
import { addWorkerCommand } from "./worker-command";

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
  addRemoteCommands(program);
  program.commandsGroup("Run a service, on its own machine:");
  for (const add of PUBLISHING) add(program);
  addOperationCommands(program, operations);
  for (const add of RUNNING) add(program);
  return program;
}

/** Runs one command with its arguments. */
export const runProgram = (args: readonly string[]): Promise<void> => runCommand(() => buildProgram(), args);
