import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { fromHere } from "@/lib/cli/from-here";
import { printable, printableJson } from "@/lib/cli/printable";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { chosenService } from "./chosen-service";
import { callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";
import { printTool } from "./tool-commands";

const PUSH_HELP = `
Stores the document as the dataset's next revision; the same document is the same revision. Requires a sign-in by
parquetry login --build.

  parquetry recipe push river-levels levels.yaml --note "Two new gauges" --start`;

interface PushOptions {
  url?: string;
  json?: boolean;
  note?: string;
  start?: boolean;
  check?: boolean;
}

/** `recipe check`, `recipe push`, `recipe pull`. */
export function addRecipeCommands(program: Command): void {
  const recipe = program.command("recipe").description("Checks recipes, and brings them to and from a service.");
  recipe
    .command("check <file>")
    .description("Checks a recipe in JSON or YAML on this computer: every fault at once, with its place.")
    .action(check);
  recipe
    .command("push <dataset> <file>")
    .description("Registers a recipe as the next revision of a dataset.")
    .option("--note <text>", "what changed and why")
    .option("--start", "plan a run as well")
    .option("--check", "check it only, and store nothing")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", PUSH_HELP)
    .action(push);
  recipe
    .command("pull <dataset>")
    .description("Prints the newest recipe of a dataset as JSON.")
    .option("--revision <number>", "an earlier revision")
    .option(...URL_OPTION)
    .action(pull);
}

const read = (file: string): string => readFileSync(fromHere(file), "utf8");

function check(file: string): void {
  const { checked, tables, warnings, unchecked } = checkRecipe(read(file), new Map());
  const lines = [
    ...tables.map(({ slug, name, columns, isOpen }) => {
      const more = isOpen ? " and what the source has" : "";
      return `${slug ?? `${name} (internal)`}: ${columns.map((column) => column.name).join(", ")}${more}`;
    }),
    ...warnings.map(({ pointer, message }) => `warning ${pointer}: ${message}`),
    ...unchecked.map(({ pointer, why }) => `not checked ${pointer}: ${why}`),
    checked === "full" ? "The recipe has no faults." : "No faults, as far as it can be checked here.",
  ];
  process.stdout.write(`${lines.map(printable).join("\n")}\n`);
}

async function push(dataset: string, file: string, { url, json, check: isDry, note, start }: PushOptions) {
  const given = { ...(note !== undefined && { note }), ...(start && { start }), ...(isDry && { dry_run: true }) };
  await printTool("register_recipe", { dataset, recipe: read(file), ...given }, { url, json });
}

async function pull(dataset: string, { url, revision }: { url?: string; revision?: string }): Promise<void> {
  const args = { dataset, recipe: true, ...(revision !== undefined && { revision: Number(revision) }) };
  const { recipe } = await callTool<{ recipe: unknown }>(chosenService(url), "get_my_dataset", args);
  process.stdout.write(`${printableJson(stringifyExactJson(recipe, 2))}\n`);
}
