import type { Command } from "commander";
import { URL_OPTION } from "./sign-in-commands";
import { printTool } from "./tool-commands";

const INSPECT_HELP = `
Waits up to 20 seconds; --json prints what was found as JSON, with source, steps and columns for a recipe. Requires
a sign-in by parquetry login --build, to a workspace on a paid plan.

  parquetry inspect https://data.example.org/levels.csv
  parquetry inspect https://api.example.org/items?page=1 --credential air-api --depth full --json`;

interface InspectOptions {
  url?: string;
  credential?: string;
  depth?: string;
  json?: boolean;
}

/** `inspect`: what builds datasets from a terminal, beside `call` with the tools themselves. */
export function addBuildCommands(program: Command): void {
  program
    .command("inspect <source>")
    .description("Looks at a source on the web, and proposes what a recipe needs to read it.")
    .option("--credential <name>", "a stored source credential")
    .option("--depth <depth>", "quick (2 MiB) or full (up to 64 MiB)")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", INSPECT_HELP)
    .action(inspect);
}

async function inspect(source: string, { url, json, credential, depth }: InspectOptions): Promise<void> {
  const args = {
    source: { url: source, ...(credential !== undefined && { credential }) },
    ...(depth !== undefined && { depth }),
    wait_ms: 20_000,
  };
  await printTool("start_source_inspection", args, { url, json });
}
