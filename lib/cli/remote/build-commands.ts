import type { Command } from "commander";
import { printRows } from "@/lib/cli/output";
import { printable, printableJson } from "@/lib/cli/printable";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { chosenService } from "./chosen-service";
import { callTool } from "./connector-call";
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
  program
    .command("credentials")
    .description("Lists the workspace's source credentials with their hosts. A person stores them in the browser.")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", CREDENTIALS_HELP)
    .action(credentials);
}

const CREDENTIALS_HELP = `
Values are never shown. A credential without hosts is usable nowhere until a person lists some. Requires a sign-in by
parquetry login --build.

  parquetry credentials`;

interface Credential {
  name: string;
  kind: string;
  field: string | null;
  hosts: string[];
  last_used_at: string | null;
}

async function credentials({ url, json }: { url?: string; json?: boolean }): Promise<void> {
  const reply = await callTool<{ credentials: Credential[]; manage_url: string }>(
    chosenService(url),
    "list_source_credentials",
    {},
  );
  const rows = reply.credentials.map(({ name, kind, field, hosts, last_used_at }) => ({
    ...{ name, kind: field === null ? kind : `${kind} ${field}`, hosts: hosts.join(" ") || "none" },
    last_used: last_used_at ?? "never",
  }));
  if (json) process.stdout.write(`${printableJson(stringifyExactJson(reply))}\n`);
  else if (rows.length === 0) process.stdout.write(`No credentials. Store them at ${printable(reply.manage_url)}\n`);
  else printRows(rows, false);
}

async function inspect(source: string, { url, json, credential, depth }: InspectOptions): Promise<void> {
  const args = {
    source: { url: source, ...(credential !== undefined && { credential }) },
    ...(depth !== undefined && { depth }),
    wait_ms: 20_000,
  };
  await printTool("start_source_inspection", args, { url, json });
}
