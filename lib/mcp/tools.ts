import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { READ_SCOPE } from "@/lib/access/authorize";
import { toolSchema } from "./json-schema";
import type { Tool } from "./tool";
import { getAccessInstructionsTool, getDownloadInstructionsTool } from "./tools/access";
import { catalogSearchTool } from "./tools/catalog-search";
import { connectDatasetTool, listConnectedDatasetsTool } from "./tools/connected-datasets";
import { fetchTool } from "./tools/fetch";
import { getDatasetTool, listTablesTool } from "./tools/get-dataset";
import { getTableSchemaTool } from "./tools/get-table-schema";
import { queryTableTool } from "./tools/query-table";
import { sampleRowsTool } from "./tools/sample-rows";
import { searchTool } from "./tools/search";
import { searchDatasetsTool } from "./tools/search-datasets";

/** Every tool, in the order in which all callers see them: a hidden tool could not make a client sign in. */
export const TOOLS: readonly Tool[] = [
  searchTool,
  fetchTool,
  searchDatasetsTool,
  getDatasetTool,
  listTablesTool,
  getTableSchemaTool,
  sampleRowsTool,
  getDownloadInstructionsTool,
  getAccessInstructionsTool,
  queryTableTool,
  catalogSearchTool,
  listConnectedDatasetsTool,
  connectDatasetTool,
];

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: unknown): Tool | undefined => (typeof name === "string" ? BY_NAME.get(name) : undefined);

/** How a caller may come, as ChatGPT asks for it: at the top level of a tool, and in its _meta. */
function securitySchemes({ access }: Tool) {
  const connected = { type: "oauth2", scopes: [READ_SCOPE] };
  return access === "connector_open" ? [{ type: "noauth" }, connected] : [connected];
}

/** The tools as `tools/list` tells of them; made once. */
export const LISTED_TOOLS: ListedTool[] = TOOLS.map((tool) => {
  const schemes = securitySchemes(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toolSchema(tool.input, "input") as ListedTool["inputSchema"],
    outputSchema: toolSchema(tool.output, "output") as ListedTool["outputSchema"],
    annotations: tool.hints,
    securitySchemes: schemes,
    _meta: { securitySchemes: schemes },
  };
});
