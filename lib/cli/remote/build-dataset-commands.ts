import type { Command } from "commander";
import { groupOf } from "@/lib/cli/command-groups";
import { printRows } from "@/lib/cli/output";
import { printable } from "@/lib/cli/printable";
import { chosenService } from "./chosen-service";
import { CommandError } from "./command-error";
import { callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";

interface Options {
  url?: string;
  json?: boolean;
}

/** `build new` and `build rows`: create a dataset, and show what a run made. */
export function addBuildDatasetCommands(program: Command): void {
  const build = groupOf(program, "build");
  build
    .command("new <title>")
    .description("Creates a dataset, private to the workspace, and prints its slug.")
    .option("--slug <slug>", "its slug (default: derived from the title)")
    .option(...URL_OPTION)
    .action(create);
  build
    .command("rows <run> <table>")
    .description("Prints the first rows of a table that a run made: of its sample, or of what it sealed.")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .action(rows);
}

async function create(title: string, { url, slug }: Options & { slug?: string }): Promise<void> {
  const args = { title, ...(slug !== undefined && { slug }) };
  const { dataset } = await callTool<{ dataset: { slug: string } }>(chosenService(url), "create_dataset", args);
  process.stdout.write(`${printable(dataset.slug)}\n`);
}

interface Run {
  result?: { preview: Record<string, { columns: string[] }> };
}

interface Page {
  columns: { name: string }[];
  rows: unknown[][];
}

async function rows(run_id: string, table: string, { url, json }: Options): Promise<void> {
  const service = chosenService(url);
  const { result } = await callTool<Run>(service, "get_run", { run_id });
  const columns = result?.preview[table]?.columns;
  if (!columns) throw new CommandError(`The run has made no table ${table}, or not yet.`);
  const page = await callTool<Page>(service, "query_run", { run_id, table, columns });
  const named = page.rows.map((cells) => page.columns.map(({ name }, at) => [name, cells[at] ?? null] as const));
  printRows(
    named.map((row) => Object.fromEntries(row)),
    json,
  );
}
