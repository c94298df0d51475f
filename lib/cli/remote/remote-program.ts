import { Command } from "commander";
import { addBuildCommands } from "./build-commands";
import { addBuildDatasetCommands } from "./build-dataset-commands";
import { addReadCommands, type Reader } from "./read-commands";
import { addRecipeCommands } from "./recipe-commands";
import { addRunCommands } from "./run-commands";
import { addScheduleCommands } from "./schedule-commands";
import { addSignInCommands } from "./sign-in-commands";
import { addSkillCommands } from "./skill-commands";
import { addToolCommands } from "./tool-commands";
import { addUploadCommand } from "./upload-command";
import { addUploadsCommands } from "./uploads-commands";

/** For a person who uses a service on another computer. */
const REMOTE = [
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

/** Adds the commands that need only a service's URL: no database and no data folder. */
export function addRemoteCommands(program: Command): void {
  for (const add of REMOTE) add(program);
}

/** The command line that a service offers for people's own computers: the same commands, and those that read. */
export function remoteProgram(reader: Reader, version: string): Command {
  const program = new Command("parquetry")
    .description("Reads a Parquetry service, and builds datasets there.")
    .version(version)
    .showHelpAfterError()
    .exitOverride();
  program.commandsGroup("Read:");
  addReadCommands(program, reader);
  program.commandsGroup("Sign in, build and publish:");
  addRemoteCommands(program);
  return program;
}
