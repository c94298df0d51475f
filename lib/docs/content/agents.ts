import { type DocContent, h2, h3, list, name, samples, table, text } from "@/lib/docs/doc";
import { CATALOGUE_TEXT, CONNECTOR, DATASET_TEXT, DOCS_TEXT, ROUTES } from "@/lib/docs/samples/agents";
import { RESULT_APP_MEDIA, RESULT_APP_URI } from "@/lib/mcp/result-app";
import type { Tool } from "@/lib/mcp/tool";
import { TOOLBOX } from "@/lib/mcp/tools";

export const agents: DocContent = ({ place: { base } }) => [
  text(
    "The catalogue, the docs and every dataset are available as tools, as text and through a self-describing " +
      "API. Reading requires no account. [Connect an agent](/docs/connect) has instructions for each client.",
  ),
  h2("connector", "The connector"),
  text(
    `\`${base}/api/mcp\` speaks the Model Context Protocol over Streamable HTTP and keeps no session. ` +
      `\`${base}/api/mcp/account\` has the same tools and requires a credential for every call.`,
  ),
  samples("A connector call", CONNECTOR),
  h3("tools", "Tools"),
  table("Tools of the connector", ["Tool", "Credential", "What it does"], TOOLBOX.all.map(toolRow)),
  h3("offers", "Resources, prompts and skills"),
  list(
    "**Resources**: `parquetry://datasets/{slug}` is a dataset’s description in Markdown, and clients complete the " +
      "slug; `parquetry://updated` lists the newest releases.",
    "**Prompts**: `explore_dataset` and `answer_with_citation` begin a conversation.",
    "**Skills** (extension `io.modelcontextprotocol/skills`): `skills/list` and `skills/get` return the skills of " +
      "`/.well-known/agent-skills/index.json` with the SHA-256 digest of each file.",
    "**App** (extension `io.modelcontextprotocol/ui`): clients that declare the extension are offered " +
      `\`${RESULT_APP_URI}\` (\`${RESULT_APP_MEDIA}\`), which [shows results](/docs/connect#charts) of ` +
      "`query_table`, `list_versions` and `compare_versions`; `_meta` of these results has the data that it draws. " +
      "Clients of protocol versions before 2026-07-28 declare it in `initialize`; the reply then has a session id, " +
      "which they send back.",
    "**Discovery**: `/.well-known/ai-catalog.json`, `/.well-known/mcp.json` and `/api/mcp/server-card`.",
  ),
  h2("texts", "Text for agents"),
  samples("The catalogue as text", CATALOGUE_TEXT),
  samples("A dataset as text", DATASET_TEXT),
  samples("The docs as text", DOCS_TEXT),
  text("Every docs page is also available as Markdown: append `.md` to its URL."),
  h2("openapi", "OpenAPI"),
  text(
    "The OpenAPI 3.1 document describes every route with its request and response schemas. Agent frameworks " +
      "can generate tools from it.",
  ),
  samples("Routes", ROUTES),
  h2("prompt", "An example prompt"),
  {
    kind: "code",
    label: "A prompt for your agent",
    language: "text",
    code: [
      `Read ${base}/llms-full.txt and ${base}/docs/query.md.`,
      "Find a dataset on carbon dioxide, query it over HTTP without a key,",
      "and answer: in which year did a monthly mean first pass 400?",
      "Cite the version ID and content digest that the reply names.",
    ].join("\n"),
  },
  h2("clients", "Without the connector"),
  list(
    "**Agents that run commands**: give them the prompt above. They call the API with `curl`, as in the [quick " +
      "start](/docs).",
    "**Agents that only fetch URLs**: give them the URL of a dataset’s text, or `/llms-full.txt`. Agents that " +
      "cannot send POST requests can read previews, which use GET.",
    "**Your own agents**: a single tool that sends a query is enough. Its schema is the `requestBody` of " +
      "`query_table_anonymously` in the OpenAPI document.",
  ),
  h2("command-line", "The command line"),
  text(
    "An agent that runs commands can call the connector’s tools from a terminal with Parquetry’s [command " +
      "line](/docs/command-line). Catalogue tools require no sign-in; for the others, [sign the computer " +
      "in](/docs/command-line#device). The service’s skills teach the agent to find, query and cite, and to build " +
      "datasets:",
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
  connector_open: "anyone",
  connector_read: "a use key, a connected agent or a device",
  connector_change: "a connected agent or a device",
  connector_build: "a connected agent or a device with datasets:build, in a workspace on a paid plan",
};

const toolRow = ({ name: tool, access, description }: Tool): string[] => [name(tool), CALLERS[access], description];
