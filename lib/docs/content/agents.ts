import { type DocContent, h2, h3, list, name, samples, table, text } from "@/lib/docs/doc";
import { CATALOGUE_TEXT, CONNECTOR, DATASET_TEXT, DOCS_TEXT, ROUTES } from "@/lib/docs/samples/agents";
import type { Tool } from "@/lib/mcp/tool";
import { TOOLS } from "@/lib/mcp/tools";

export const agents: DocContent = ({ place: { base } }) => [
  text(
    "The catalogue, the docs and every dataset are there as tools, as text and as an API that describes " +
      "itself. Reading takes no account. [Connect an agent](/docs/connect) tells how each client is given the " +
      "tools.",
  ),
  h2("connector", "The connector"),
  text(
    `\`${base}/api/mcp\` speaks the Model Context Protocol over Streamable HTTP, without sessions; ` +
      `\`${base}/api/mcp/account\` has the same tools and answers nobody who is not signed in.`,
  ),
  samples("A call of the connector", CONNECTOR),
  h3("tools", "Tools"),
  table("Tools of the connector", ["Tool", "Who may call it", "What it does"], TOOLS.map(toolRow)),
  h2("texts", "Texts to hand over"),
  samples("The catalogue as text", CATALOGUE_TEXT),
  samples("A dataset as text", DATASET_TEXT),
  samples("The docs as text", DOCS_TEXT),
  text("Every page of these docs has such a twin: put `.md` behind its address."),
  h2("openapi", "The API, described"),
  text(
    "The OpenAPI 3.1 document has every route with schemas of requests and replies. Agents and frameworks that " +
      "make tools from OpenAPI take it as it is.",
  ),
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
  h2("clients", "Without the connector"),
  list(
    "**Agents that run commands**: give them the prompt. They call the API with `curl`, as the [quick " +
      "start](/docs) does.",
    "**Agents that only open addresses**: give them the address of a dataset’s text, or of `/llms-full.txt`. " +
      "Those that cannot send POST requests read previews, which are GET.",
    "**Agents of your own**: one tool that sends a query is enough. The body’s schema is `requestBody` of " +
      "`query_table_anonymously` in the OpenAPI document.",
  ),
  h2("command-line", "The command line"),
  text(
    "An agent that runs commands can call the connector’s tools from a terminal, with Parquetry’s own [command " +
      "line](/docs/command-line). Those that read the catalogue take no sign-in; for the others its person " +
      "[signs the computer in](/docs/command-line#device). The skill that the service serves tells it how to " +
      "find, query and cite:",
  ),
  {
    kind: "code",
    label: "From a terminal",
    language: "shellscript",
    code:
      `parquetry skill install --url ${base}\nparquetry login --url ${base}\nparquetry tools query_table\n` +
      `parquetry call search '{"query": "bird strikes"}' --json`,
  },
];

const CALLERS: Readonly<Record<Tool["access"], string>> = {
  connector_open: "anybody",
  connector_read: "a use key, a connected agent or a device",
  connector_change: "a connected agent or a device",
};

const toolRow = ({ name: tool, access, description }: Tool): string[] => [name(tool), CALLERS[access], description];
