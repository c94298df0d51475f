import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { printRows } from "@/lib/cli/output";
import { printable, printableJson } from "@/lib/cli/printable";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { type ChosenService, chosenService } from "./chosen-service";
import { CommandError, EXIT } from "./command-error";
import { callConnector, callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";
import { inTerminal } from "./terminal-text";

const CALL_HELP = `
Prints the tool's text or, with --json, its structured content with every digit. If the tool fails, prints the reason
and exits with status 1. Tools that read the catalogue require no sign-in.

  parquetry call search '{"query": "bird strikes"}'
  parquetry call query_table --json < query.json -
  parquetry tools query_table                                 shows its arguments`;

interface Tool {
  name: string;
  description: string;
  inputSchema: unknown;
}

interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

interface Options {
  url?: string | undefined;
  json?: boolean | undefined;
}

/** `tools`, `call`: the agent connector's tools from a terminal. */
export function addToolCommands(program: Command): void {
  program
    .command("tools [tool]")
    .description("Lists the tools of a service's connector (MCP server), or shows one tool's arguments.")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .action(listTools);
  program
    .command("call <tool> [arguments]")
    .description(
      "Calls a tool of a service's connector (MCP server). The arguments are JSON; - reads them from standard input.",
    )
    .option(...URL_OPTION)
    .option("--json", "print the structured content")
    .addHelpText("after", CALL_HELP)
    .action(call);
}

async function listTools(name: string | undefined, { url, json }: Options): Promise<void> {
  const tools = await toolsOf(chosenService(url));
  if (name === undefined) {
    if (json) process.stdout.write(`${printableJson(stringifyExactJson(tools))}\n`);
    else
      printRows(
        tools.map(({ name: tool, description }) => ({
          tool: printable(tool),
          "what it does": printable(firstSentence(description)),
        })),
        false,
      );
    return;
  }
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw noTool(name, tools);
  process.stdout.write(
    json
      ? `${printableJson(stringifyExactJson(tool))}\n`
      : `${printable(tool.description)}\n\n${printableJson(stringifyExactJson(tool.inputSchema, 2))}\n`,
  );
}

const toolsOf = async (at: ChosenService): Promise<Tool[]> =>
  (await callConnector<{ tools: Tool[] }>(at, "tools/list", {})).tools;

function noTool(name: string, tools: readonly Tool[]): CommandError {
  const known = tools.map((tool) => tool.name);
  const meant = didYouMean(name, known);
  return new CommandError(
    `Unknown tool: ${name}.${meant === undefined ? "" : ` Did you mean ${meant}?`} List them with: parquetry tools`,
  );
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;

async function call(name: string, given: string | undefined, options: Options): Promise<void> {
  await printTool(name, argumentsOf(given === "-" ? await readAll(process.stdin) : (given ?? "{}")), options);
}

/** Calls a tool and prints its text, or its structured content. Fails with the reason if the tool fails. */
export async function printTool(name: string, args: unknown, { url, json }: Options): Promise<void> {
  const service = chosenService(url);
  const call = callConnector<ToolResult>(service, "tools/call", { name, arguments: args });
  const result = await call.catch(async (error: Error) => Promise.reject(await explained(error, name, service)));
  const words = (result.content ?? [])
    .flatMap(({ type, text }) => (type === "text" && text !== undefined ? [printable(text)] : []))
    .join("\n");
  if (result.isError) throw new CommandError(words || `${name} failed.`);
  process.stdout.write(
    json && result.structuredContent !== undefined
      ? `${printableJson(stringifyExactJson(result.structuredContent))}\n`
      : `${words}\n`,
  );
}

/** Prints a tool's reply as JSON, or as lines of text for a person. Fails with the reason if the tool fails. */
export async function printReply<Reply>(
  name: string,
  args: object,
  { url, json }: Options,
  linesOf: (reply: Reply) => readonly string[],
): Promise<void> {
  if (json) return await printTool(name, args, { url, json });
  const reply = await callTool<Reply>(chosenService(url), name, args).catch((error: Error) => {
    const isTold = error instanceof CommandError && error.exitCode === EXIT.failed;
    throw isTold ? new CommandError(inTerminal(error.message)) : error;
  });
  process.stdout.write(`${linesOf(reply).map(printable).join("\n")}\n`);
}

/**
 * For an error about a tool that the service does not have, the command line's own message; otherwise the error itself.
 */
async function explained(error: Error, name: string, service: ChosenService): Promise<Error> {
  if (!(error instanceof CommandError) || error.exitCode !== EXIT.failed) return error;
  const tools = await toolsOf(service).catch(() => undefined);
  return !tools || tools.some((tool) => tool.name === name) ? error : noTool(name, tools);
}

function argumentsOf(text: string): unknown {
  try {
    const args = parseExactJson(text);
    if (typeof args === "object" && args !== null && !Array.isArray(args)) return args;
  } catch (error) {
    throw new CommandError(`The arguments are not valid JSON: ${(error as Error).message}`);
  }
  throw new CommandError('The arguments must be one JSON object, such as {"query": "bird strikes"}.');
}
