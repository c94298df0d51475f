// the program of the npm package that a service offers: all but the JavaScript client, which is a file of its own
import { runCommand } from "@/lib/cli/run-command";
import { readSettings } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import type { Reader } from "./read-commands";
import { remoteProgram } from "./remote-program";

/** Runs one command. `base`: the service that offers the package. */
export async function run(args: readonly string[], base: string, version: string, reader: Reader): Promise<void> {
  // not from the person's own variables, which say nothing about a service
  processWide("settings", () => readSettings({ PARQUETRY_BASE_URL: base }));
  process.stdout.on("error", () => process.exit(0)); // the reader, such as head, has enough
  await runCommand(() => remoteProgram(reader, version), args);
}
