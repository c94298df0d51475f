import { z } from "zod";
import { catalogueQuery } from "@/lib/operations/reading/catalogue-query";
import { toolPart } from "@/lib/operations/tool-part";
import { type Catalogue, cataloguedEntrySchema, catalogueSchema } from "@/lib/schemas/dataset";
import { agentTableSchema } from "./agent-table";
import { beginning } from "./beginning";
import { adviceFor } from "./empty-search";

const RESULTS_MAX = 10;
const SUMMARY_MAX = 100;
/** If a dataset has more, list_tables has the rest. */
const TABLES_MAX = 6;

/** The first half of the two-tool contract that chat clients know. */
export const searchTool = toolPart({
  name: "search",
  title: "Search datasets",
  description:
    "Searches published datasets: title, summary, publisher, topics, names and descriptions of tables and columns, " +
    'and frequent values. Start here with 2 to 5 words, such as "bird strikes". Returns up to 10, best match first: ' +
    "pass one of tables as table_id to get_table_schema and query_table, or id to fetch, or as slug to get_dataset. " +
    "For filters and details of many datasets at once, use search_datasets.",
  input: z.strictObject({ query: z.string().max(200).describe("Search words.") }),
  toInput: ({ query }) => ({ query: { q: query, limit: RESULTS_MAX } }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        summary: z.string(),
        matched_on: z.array(z.string()),
        tables: z.array(z.string()).describe("dataset/table."),
      }),
    ),
    advice: z.string().optional(),
  }),
  async view(found: Catalogue, { args, ctx }) {
    const results = found.datasets.map(({ slug, title, url, summary, matched_on = [], tables }) => ({
      ...{ id: slug, title, url, summary: beginning(summary, SUMMARY_MAX), matched_on },
      tables: tables.slice(0, TABLES_MAX).map((table) => `${slug}/${table.slug}`),
    }));
    return { structured: { results, ...(await adviceFor(found, { q: args.query }, ctx.now())) } };
  },
});

/** The values of a facet as a list, or a single value. */
const choice = (values: typeof catalogueQuery.topic) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (typeof value === "string" ? [value] : value))
    .pipe(values.unwrap())
    .optional();

/** Fields of list entries: what a table is found and queried by. */
const listedTableSchema = agentTableSchema.pick({ name: true, slug: true, table_id: true, rows: true });

const entrySchema = cataloguedEntrySchema
  .omit({ metadata_url: true, markdown_url: true, freshness: true, publisher: true })
  .extend({ publisher: z.string().describe("Slug."), tables: z.array(listedTableSchema) });

export const searchDatasetsTool = toolPart({
  title: "Search the catalogue",
  description:
    "Lists published datasets, newest first (with q, best match first), filtered by topic, publisher (slug) or " +
    "license: a value, or a list for any of several. Returns total, and per dataset its slug, summary, licence and " +
    "tables with table_id and row counts. Pass slug to get_dataset and table_id to the other tools. For " +
    "the next page, pass cursor = next_cursor with the same arguments.",
  input: z.strictObject({
    topic: choice(catalogueQuery.topic),
    publisher: choice(catalogueQuery.publisher),
    license: choice(catalogueQuery.license),
    q: catalogueQuery.q.describe("Search words. Stems, prefixes and small typos match."),
    sort: z.enum(["relevance", "published", "title"]).optional(),
    limit: z.int().min(1).max(50).default(10),
    cursor: z.string().max(2000).optional(),
  }),
  output: catalogueSchema.extend({ datasets: z.array(entrySchema), advice: z.string().optional() }),
  async view(found: Catalogue, { args, ctx }) {
    const datasets = found.datasets.map(
      ({ metadata_url: _m, markdown_url: _d, freshness: _f, publisher, tables, ...entry }) => ({
        ...entry,
        publisher: publisher.slug,
        tables: tables.map(({ name, slug, tableId, rows }) => ({ name, slug, table_id: tableId, rows })),
      }),
    );
    return { structured: { ...found, datasets, ...(await adviceFor(found, args, ctx.now())) } };
  },
});
