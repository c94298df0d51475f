import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { ACCESS } from "@/lib/access/access-table";
import { BUILD_SCOPE, scopesOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import type { AnyOperation } from "@/lib/operations/operation";
import { OPERATIONS } from "@/lib/operations/registry";
import { toolSchema } from "./json-schema";
import { toolsOf } from "./operation-tools";
import { TOOL_WITH_APP } from "./result-app";
import type { Tool } from "./tool";
import { accessInstructionsTool, getDownloadInstructionsTool } from "./tools/access";
import { getRecipeReferenceTool } from "./tools/recipe";

/** The tools that are not views of an operation. `all`: every tool, once there is a call. */
const ownTools = (all: () => readonly Tool[]): readonly Tool[] => [
  getDownloadInstructionsTool,
  accessInstructionsTool(all),
  getRecipeReferenceTool,
];

/** The two that chat clients know come first. */
const FIRST: readonly string[] = ["search", "fetch"];

/**
 * Then in the order of the access table's rows: what everybody may call, what a key may call, what changes something.
 */
const ROWS: readonly string[] = Object.keys(ACCESS);

/** What a client reads beyond the protocol. */
export interface ClientFacts {
  /** Whether it shows the connector's app. */
  showsApp: boolean;
  /** Whether it is ChatGPT or another one of OpenAI's. */
  isOpenAi: boolean;
}

/** Tools by name, and as `tools/list` returns them. */
export interface Toolbox {
  all: readonly Tool[];
  listed: ListedTool[];
  find(name: unknown): Tool | undefined;
}

/**
 * The connector's tools: the views of operations, and its own, in one order. Any of them may be called: a rejection
 * says what the caller lacks.
 */
export function toolboxOf(operations: readonly AnyOperation[]): Toolbox {
  const own = ownTools(() => all);
  const all: readonly Tool[] = [...operations.flatMap(toolsOf), ...own].sort((a, b) => rank(a) - rank(b));
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  return {
    all,
    listed: all.map(listed),
    find: (name) => (typeof name === "string" ? byName.get(name) : undefined),
  };
}

/**
 * The tools that `tools/list` returns to a caller. Those for building cost 7,500 tokens, so only a connection or device
 * with the scope datasets:build sees them; reading tools are listed for everybody, since calling one without a
 * credential makes a client sign in.
 */
export function listedFor(
  { all, listed: entries }: Toolbox,
  { actor }: Pick<Context, "actor">,
  client: ClientFacts,
): ListedTool[] {
  const builds = "grant" in actor && actor.grant.scopes.includes(BUILD_SCOPE);
  return all.flatMap((tool, at) => {
    const entry = entries[at];
    return entry && (builds || tool.access !== "connector_build") ? [{ ...entry, ...readBy(tool, client) }] : [];
  });
}

/** What only some clients read of a tool; others do without, since the list is part of every conversation. */
function readBy(tool: Tool, { showsApp, isOpenAi }: ClientFacts): object {
  const schemes = isOpenAi && { securitySchemes: securitySchemes(tool) };
  const app = showsApp && tool.hasApp && TOOL_WITH_APP;
  return { ...schemes, ...((schemes || app) && { _meta: { ...schemes, ...app } }) };
}

function rank({ name, access }: Tool): number {
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length + ROWS.indexOf(access);
}

/** How a caller authenticates, in the form that OpenAI requires: at the top level of a tool, and in its _meta. */
function securitySchemes({ access }: Tool) {
  const connected = { type: "oauth2", scopes: [...scopesOf(access)] };
  return access === "connector_open" ? [{ type: "noauth" }, connected] : [connected];
}

const listed = (tool: Tool): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toolSchema(tool.input, "input") as ListedTool["inputSchema"],
  outputSchema: toolSchema(tool.output, "output") as ListedTool["outputSchema"],
  annotations: { ...tool.hints },
});

/** The tools of the service. */
export const TOOLBOX: Toolbox = toolboxOf(OPERATIONS);
