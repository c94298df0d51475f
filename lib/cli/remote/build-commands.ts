import type { Command } from "commander";
import { printRows } from "@/lib/cli/output";
import { printable, printableJson } from "@/lib/cli/printable";
import { inspectedRecipe } from "@/lib/describe/inspected-recipe";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { InspectionReply } from "@/lib/schemas/inspection";
import { chosenService } from "./chosen-service";
import { CommandError } from "./command-error";
import { callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";
import { printTool } from "./tool-commands";

const INSPECT_HELP = `
A source is a URL, npm:PACKAGE/FILE, or upload:NAME. Waits up to 20 seconds; --json prints what was found as JSON,
--recipe as a first recipe in YAML, in which only what a person must decide is missing. Requires a sign-in with
parquetry login --build, to a workspace on a paid plan.

  parquetry inspect https://data.example.org/levels.csv
  parquetry inspect npm:mime-db/db.json --recipe "Media types" > recipe.yaml
  parquetry inspect https://api.example.org/items?page=1 --credential air-api --depth full --json`;

interface InspectOptions {
  url?: string;
  credential?: string;
  depth?: string;
  json?: boolean;
  recipe?: string;
}

/**
 * `inspect` and `credentials`: for building datasets from a terminal, in addition to `call` with the tools themselves.
 */
export function addBuildCommands(program: Command): void {
  program
    .command("inspect <source>")
    .description("Looks at a source, and proposes what a recipe needs to read it.")
    .option("--credential <name>", "a stored source credential")
    .option("--depth <depth>", "quick (2 MiB) or full (up to 64 MiB)")
    .option("--recipe <title>", "print a first recipe of a table with this title, as YAML")
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
Values are never shown. A credential without hosts cannot be used until a person lists some. Requires a sign-in with
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

async function inspect(named: string, { url, json, credential, depth, recipe }: InspectOptions): Promise<void> {
  const source = { ...sourceOf(named), ...(credential !== undefined && { credential }) };
  const args = { source, ...(depth !== undefined && { depth }), wait_ms: 20_000 };
  if (recipe === undefined) return printTool("start_source_inspection", args, { url, json });
  const found = await callTool<InspectionReply>(chosenService(url), "start_source_inspection", args);
  if (found.failure) throw new CommandError(`${found.failure.message} ${found.failure.fix}`);
  if (!found.source) throw new CommandError([...(found.warnings ?? []), found.next].join(" "));
  process.stdout.write(`${inspectedRecipe([found], recipe).split("\n").map(printable).join("\n")}`);
}

/** `npm:@scope/name/file`, `upload:name`, or a URL. */
function sourceOf(named: string): Record<string, string> {
  const [, name, path] = /^npm:((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(named) ?? [];
  if (name !== undefined)
    return { kind: "package", registry: "npm", package: name, ...(path !== undefined && { path }) };
  return named.startsWith("upload:") ? { kind: "upload", upload: named.slice("upload:".length) } : { url: named };
}
