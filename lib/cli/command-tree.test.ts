import { Command } from "commander";
import { expect, test } from "vitest";
import commands from "@/lib/docs/commands.json" with { type: "json" };
import { describeCommands } from "./command-tree";
import { buildProgram } from "./program";

test("the docs list every command exactly", () => {
  // Regenerate with: npm run -s parquetry -- commands > lib/docs/commands.json && npx biome format --write
  // lib/docs/commands.json
  expect(commands).toEqual(describeCommands(buildProgram()));
});

test("a command's description has its arguments, required options and extra help", () => {
  const program = new Command("p");
  program
    .command("pair")
    .command("make <left> [rest...]")
    .description("Makes a pair.")
    .requiredOption("--name <name>", "its name")
    .option("--json", "print JSON")
    .addHelpText("after", "\n  p pair make a b");
  expect(describeCommands(program)).toEqual([
    {
      usage: "pair make <left> [rest...]",
      description: "Makes a pair.",
      options: [
        { flags: "--name <name>", description: "its name", isRequired: true },
        { flags: "--json", description: "print JSON", isRequired: false },
      ],
      more: "p pair make a b",
    },
  ]);
});
