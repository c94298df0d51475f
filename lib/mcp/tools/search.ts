import { z } from "zod";
import { READING, tool } from "@/lib/mcp/tool";
import { execute } from "@/lib/operations/execute";
import { searchDatasets } from "@/lib/operations/search-datasets";

const RESULTS_MAX = 10;

/** The first half of the two-tool contract that chat clients know. */
export const searchTool = tool({
  name: "search",
  title: "Search datasets",
  description:
    "Searches published datasets: title, summary, publisher, topics, and names and descriptions of tables and " +
    'columns. Start here with 2 to 5 words, such as "bird strikes". Returns up to 10 of {id, title, url}, best ' +
    "match first; pass an id to fetch, or as slug to get_dataset and list_tables. For filters and details of " +
    "many datasets at once, use search_datasets.",
  access: "connector_open",
  hints: READING,
  input: z.strictObject({ query: z.string().max(200).describe("Search words.") }),
  output: z.strictObject({ results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })) }),
  async call({ query }, ctx) {
    const found = await execute(searchDatasets, { query: { q: query, limit: RESULTS_MAX } }, ctx);
    return { structured: { results: found.datasets.map(({ slug, title, url }) => ({ id: slug, title, url })) } };
  },
});
