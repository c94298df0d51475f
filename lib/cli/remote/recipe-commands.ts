import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type CheckedRecipe, checkRecipe } from "@/lib/builds/check-recipe";
import { fromHere } from "@/lib/cli/from-here";
import { printable, printableJson, printableLine } from "@/lib/cli/printable";
import { faultLines } from "@/lib/describe/fault-lines";
import { recipeText } from "@/lib/describe/recipe-text";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { Failure } from "@/lib/kernel/errors";
import { type RecipeReply, recipeLines } from "./build-text";
import { chosenService } from "./chosen-service";
import { CommandError } from "./command-error";
import { callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";
import { printReply } from "./tool-commands";

const PUSH_HELP = `
Stores the document as the dataset's next revision; the same document is the same revision. Requires a sign-in with
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
  const recipe = program
    .command("recipe")
    .description("Checks recipes, and sends them to and gets them from a service.");
  recipe
    .command("check <file>")
    .description("Checks a recipe in JSON or YAML on this computer: every fault at once, with its location.")
    .action(check);
  recipe
    .command("push <dataset> <file>")
    .description("Registers a recipe as the next revision of a dataset.")
    .option("--note <text>", "what changed and why")
    .option("--start", "also plan a run")
    .option("--check", "only check it; store nothing")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", PUSH_HELP)
    .action(push);
  recipe
    .command("pull <dataset>")
    .description("Prints the newest recipe of a dataset as JSON.")
    .option("--revision <number>", "an earlier revision")
    .option("--yaml", "print YAML")
    .option(...URL_OPTION)
    .action(pull);
}

const read = (file: string): string => readFileSync(fromHere(file), "utf8");

async function check(file: string): Promise<void> {
  const text = read(file);
  const { checked, tables, warnings, unchecked } = await checkedRecipe(text);
  const lines = [
    ...tables.map(({ slug, name, columns, isOpen }) => {
      const more = isOpen ? " and what the source has" : "";
      return `${slug ?? `${name} (internal)`}: ${columns.map((column) => column.name).join(", ")}${more}`;
    }),
    ...warnings.map(({ pointer, message }) => `warning ${pointer}: ${message}`),
    ...unchecked.map(({ pointer, why }) => `not checked ${pointer}: ${why}`),
    checked === "full" ? "The recipe has no faults." : "No faults, as far as it can be checked here.",
  ];
  process.stdout.write(`${lines.map(printableLine).join("\n")}\n`);
}

/** Fails with one line per fault, sorted by its location in the file. */
async function checkedRecipe(text: string): Promise<CheckedRecipe> {
  try {
    return checkRecipe(text, new Map());
  } catch (error) {
    if (!(error instanceof Failure) || error.faults.length === 0) throw error;
    const pointers = error.faults.map(({ pointer }) => pointer);
    const lines = await faultLines(text, pointers);
    const told = error.faults.map(({ pointer, message, didYouMean }) => {
      const meant = didYouMean === undefined ? "" : ` Did you mean ${JSON.stringify(didYouMean)}?`;
      return { line: lines.get(pointer) ?? 0, words: `${pointer}: ${message}${meant}` };
    });
    const sorted = told.toSorted((a, b) => a.line - b.line);
    throw new CommandError(sorted.map(({ line, words }) => (line > 0 ? `line ${line} ${words}` : words)).join("\n"));
  }
}

async function push(dataset: string, file: string, { url, json, check: isDry, note, start }: PushOptions) {
  const given = { ...(note !== undefined && { note }), ...(start && { start }), ...(isDry && { dry_run: true }) };
  const args = { dataset, recipe: read(file), ...given };
  await printReply("register_recipe", args, { url, json }, (reply: RecipeReply) => recipeLines(dataset, reply));
}

interface PullOptions {
  url?: string;
  revision?: string;
  yaml?: boolean;
}

async function pull(dataset: string, { url, revision, yaml }: PullOptions): Promise<void> {
  const args = { dataset, recipe: true, ...(revision !== undefined && { revision: Number(revision) }) };
  const { recipe } = await callTool<{ recipe: unknown }>(chosenService(url), "get_my_dataset", args);
  if (recipe === undefined) throw new CommandError(`${dataset} has no recipe yet.`);
  process.stdout.write(
    yaml
      ? recipeText(recipe).split("\n").map(printable).join("\n")
      : `${printableJson(stringifyExactJson(recipe, 2))}\n`,
  );
}
