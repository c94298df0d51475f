import { type Command, Option } from "commander";
import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { insideContext } from "@/lib/http/context";
import type { CommandPart } from "@/lib/operations/command-part";
import { execute } from "@/lib/operations/execute";
import { flatInput, toInput } from "@/lib/operations/flat-input";
import type { AnyOperation } from "@/lib/operations/operation";
import { groupOf } from "./command-groups";
import { textOf } from "./from-here";
import { checked, print, printRows, report } from "./output";

interface Property {
  type?: string;
  description?: string;
}

type Values = Record<string, unknown>;

/** The commands of the operations that have a `cli` part. */
export function addOperationCommands(program: Command, operations: readonly AnyOperation[]): void {
  for (const operation of operations) if (operation.cli) addCommand(program, operation, operation.cli);
}

function addCommand(program: Command, operation: AnyOperation, part: CommandPart): void {
  const [words, positional] = split(part.usage);
  const input = flatInput(operation);
  const parent = words.slice(0, -1).reduce(groupOf, program);
  const command = parent
    .command([words.at(-1), ...positional.map((name) => `<${name}>`)].join(" "))
    .description(part.description ?? operation.description);
  const names = positional.map(memberOf);
  addOptions(command, input, { ...part, positional: names }).option("--json", "print JSON");
  if (part.help) command.addHelpText("after", `\n${part.help.replace(/^\n/, "")}`);
  command.action(async () => {
    const args = await argumentsOf(command, input, { ...part, positional: names });
    await run(
      operation,
      part,
      toInput(operation, checked(input, args) as Values),
      command.opts<{ json?: boolean }>().json,
    );
  });
}

interface Arguments extends Pick<CommandPart, "valueNames" | "files"> {
  /** Members that are given as positional arguments, in order. */
  positional?: readonly string[];
}

/** Adds the options of an input: its members except for the positional ones. */
export function addOptions(command: Command, input: z.ZodType, { valueNames, positional = [] }: Arguments): Command {
  const { properties, required } = jsonSchemaOf(input);
  for (const [name, property] of Object.entries(properties))
    if (!positional.includes(name))
      command.addOption(optionOf(name, property, valueNames?.[name] ?? name, required.includes(name)));
  return command;
}

/** The arguments and options of a command, as members of its input. */
export async function argumentsOf(
  command: Command,
  input: z.ZodType,
  { files = [], positional = [] }: Arguments,
): Promise<Values> {
  const { properties } = jsonSchemaOf(input);
  const named = positional.map((name, at) => [name, command.args[at]] as const);
  const options = Object.entries(command.opts<Values>()).map(([name, value]) => [memberOf(name), value] as const);
  const given = [...named, ...options].filter(([name]) => name in properties);
  return Object.fromEntries(
    await Promise.all(
      given.map(async ([name, value]) => [
        name,
        files.includes(name) && value !== "" ? await textOf(String(value)) : typed(value, properties[name]),
      ]),
    ),
  );
}

/** `user show <email>` → [["user", "show"], ["email"]] */
function split(usage: string): [words: string[], positional: string[]] {
  const parts = usage.split(" ");
  const isArgument = (part: string) => part.startsWith("<");
  return [parts.filter((part) => !isArgument(part)), parts.filter(isArgument).map((part) => part.slice(1, -1))];
}

/** `version-id` and Commander's `versionId` → `version_id` */
const memberOf = (name: string): string => name.replace(/-|(?=[A-Z])/g, "_").toLowerCase();

function jsonSchemaOf(input: z.ZodType): { properties: Record<string, Property>; required: readonly string[] } {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return { properties: (schema.properties ?? {}) as Record<string, Property>, required: schema.required ?? [] };
}

function optionOf(name: string, { type, description }: Property, value: string, isRequired: boolean): Option {
  const flag = `--${name.replaceAll("_", "-")}`;
  const flags = type === "boolean" ? flag : `${flag} <${value}${type === "array" ? "..." : ""}>`;
  return new Option(flags, description).makeOptionMandatory(isRequired);
}

/** A number on the command line as a number, if the schema has one. */
const typed = (value: unknown, property: Property | undefined): unknown =>
  (property?.type === "integer" || property?.type === "number") && typeof value === "string" && value.trim() !== ""
    ? Number(value)
    : value;

async function run(
  operation: AnyOperation,
  part: CommandPart,
  given: ReturnType<typeof toInput>,
  json: boolean | undefined,
): Promise<void> {
  const ctx: Context = { ...insideContext(), actor: { kind: "operator" } };
  const output = await execute(operation, given, ctx);
  const problem = part.problem?.(output);
  if (problem !== undefined) {
    process.exitCode = 1;
    report(problem);
  }
  const warning = part.warning?.(output);
  if (warning !== undefined) report(warning);
  if (part.failed?.(output)) process.exitCode = 1;
  const result = part.result ? part.result(output) : output;
  if (json) printJson(result);
  else printReply(part.view?.(output, ctx) ?? (Array.isArray(result) ? { tables: [result] } : { record: result }));
}

function printJson(output: unknown): void {
  if (Array.isArray(output)) printRows(output, true);
  else print(output as Values, true);
}

function printReply({ record, tables = [], line }: ReturnType<NonNullable<CommandPart["view"]>>): void {
  if (line !== undefined) process.stdout.write(`${line}\n`);
  if (record) print(record, false);
  const shown = record ? tables.filter((rows) => rows.length > 0) : tables;
  for (const [at, rows] of shown.entries()) {
    if (record || at > 0) process.stdout.write("\n");
    printRows(rows, false);
  }
}
