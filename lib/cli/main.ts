import { Command, CommanderError } from "commander";
import { Failure } from "@/lib/errors";
import { closeRedis } from "@/lib/limits/redis-counters";
import { closeReadingEngine } from "@/lib/operations/reading-engine";
import { closeDatabase } from "@/lib/store/database";
import { addAuditCommand } from "./audit-command";
import { addBackupCommands } from "./backup-commands";
import { addCareCommands } from "./care-commands";
import { addDatasetCommands } from "./dataset-commands";
import { addKeyCommands } from "./key-commands";
import { addMaintenanceCommands } from "./maintenance-commands";
import { addPublishCommand } from "./publish-command";
import { addSecretCommands } from "./secret-commands";
import { addShowcaseCommand } from "./showcase-command";

const program = new Command("parquetry")
  .description("Publishes open datasets as immutable Parquet versions and serves them.")
  .showHelpAfterError()
  .exitOverride();

addPublishCommand(program);
addShowcaseCommand(program);
addKeyCommands(program);
addSecretCommands(program);
addDatasetCommands(program);
addAuditCommand(program);
addCareCommands(program);
addMaintenanceCommands(program);
addBackupCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
} finally {
  await closeReadingEngine();
  closeRedis();
  await closeDatabase();
}

/** Writes what went wrong for a person; returns the exit status. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  if (error instanceof Failure) for (const fault of error.faults) process.stderr.write(`  ${fault.pointer}: ${fault.message}\n`);
  return 1;
}
