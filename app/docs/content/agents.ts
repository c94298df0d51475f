import { type DocContent, h2, h3, list, name, note, samples, table, text } from "@/app/docs/doc";
import { CATALOGUE_TEXT, CONNECTOR, DATASET_TEXT, DOCS_TEXT, ROUTES } from "@/app/docs/samples/agents";
import { FIRST } from "@/app/docs/samples/quick-start";
import type { Tool } from "@/lib/mcp/tool";
import { TOOLS } from "@/lib/mcp/tools";

export const agents: DocContent = ({ place: { base } }) => [
  text(
    "An agent that can fetch addresses needs no more than this one: the catalogue, the docs and every dataset are there as text, and the API describes itself. Reading takes no account.",
  ),
  h2("connector", "The connector"),
  text(
    `\`${base}/api/mcp\` speaks the Model Context Protocol over Streamable HTTP, without sessions. Tools that read the catalogue answer without any credential; for the others the client signs you in here, you choose the workspace, and the agent is connected until you [disconnect it](/docs/accounts). A client that cannot do so takes a [use key](/docs/accounts) as \`Authorization: Bearer svc_use_…\`.`,
  ),
  text(`A client that signs in only where everything asks for it takes \`${base}/api/mcp/account\` instead: the same tools, and nothing without a sign-in.`),
  samples("A call of the connector", CONNECTOR),
  { kind: "code", label: "Claude Code", language: "shellscript", code: `claude mcp add --transport http parquetry ${base}/api/mcp` },
  { kind: "code", label: "VS Code, in .vscode/mcp.json", language: "json", code: config("servers", { type: "http", url: `${base}/api/mcp` }) },
  { kind: "code", label: "Cursor, in .cursor/mcp.json", language: "json", code: config("mcpServers", { url: `${base}/api/mcp` }) },
  text("Claude and ChatGPT take the same address as a custom connector, where the service has a public `https` address."),
  h3("tools", "Tools"),
  table("Tools of the connector", ["Tool", "Takes", "What it does"], TOOLS.map(toolRow)),
  h2("texts", "Texts to hand over"),
  samples("The catalogue as text", CATALOGUE_TEXT),
  samples("A dataset as text", DATASET_TEXT),
  samples("The docs as text", DOCS_TEXT),
  text("Every page of these docs has such a twin: put `.md` behind its address."),
  h2("openapi", "The API, described"),
  text("The OpenAPI 3.1 document has every route with schemas of requests and replies. Agents and frameworks that make tools from OpenAPI take it as it is."),
  samples("Routes", ROUTES),
  h2("prompt", "A prompt that works"),
  {
    kind: "code",
    label: "A prompt for your agent",
    language: "text",
    code: [
      `Read ${base}/llms-full.txt and ${base}/docs/query.md.`,
      "Find a dataset on carbon dioxide, query it over HTTP without a key,",
      "and answer: in which year did a monthly mean first pass 400?",
      "Cite the version id and content digest that the reply names.",
    ].join("\n"),
  },
  h2("clients", "Which agents"),
  list(
    "**Claude Code, Codex, Cursor, VS Code and others that run commands**: give them the prompt. They call the API with `curl`, as a person would.",
    "**Claude, ChatGPT and others that browse**: give them the address of a dataset’s text, or of `/llms-full.txt`. Those that cannot send POST requests read previews, which are GET.",
    `**Agents of your own**: one tool that sends a query is enough. The body’s schema is \`requestBody\` of \`query_table_anonymously\` in the OpenAPI document.`,
  ),
  note("The service must be reachable from where the agent runs: one on `localhost` is read by agents on the same computer alone."),
  h2("command-line", "The command line"),
  text("Plain HTTP is all there is to it:"),
  samples("A query", ...FIRST),
  text(
    `An agent that runs commands calls the connector’s tools from a terminal too, once its person has [signed the computer in](/docs/command-line#device); the skill that the service serves tells it how to find, query and cite:`,
  ),
  {
    kind: "code",
    label: "From a terminal",
    language: "shellscript",
    code: `parquetry skill install --url ${base}\nparquetry login --url ${base}\nparquetry tools query_table\nparquetry call search '{"query": "bird strikes"}' --json`,
  },
  h2("key", "With a key"),
  text(
    "Give an agent a [use key](/docs/accounts) of its own in its environment, such as `PARQUETRY_KEY`, not in the prompt: prompts are kept. It can read and nothing else, and is revoked alone.",
  ),
];

const config = (key: string, server: object): string => JSON.stringify({ [key]: { parquetry: server } }, null, 2);

const CALLERS: Readonly<Record<Tool["access"], string>> = {
  connector_open: "anybody",
  connector_read: "a use key, a connected agent or a device",
  connector_change: "a connected agent or a device",
};

const toolRow = ({ name: tool, access, description }: Tool): string[] => [name(tool), CALLERS[access], description];
