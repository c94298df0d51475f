import { z } from "zod";
import { READING, tool } from "@/lib/mcp/tool";
import { execute } from "@/lib/operations/execute";
import { catalogueQuery } from "@/lib/operations/reading/catalogue-query";
import { searchDatasets } from "@/lib/operations/search-datasets";
import { cataloguedEntrySchema, catalogueSchema, tableEntrySchema } from "@/lib/schemas/dataset";

/** Addresses of the API are left out: an agent calls tools by id. */
export const agentTableSchema = tableEntrySchema.omit({
  schema_url: true,
  preview_url: true,
  query_url: true,
  current_url: true,
});

/** In lists: what a table is found and asked by. */
const listedTableSchema = agentTableSchema.pick({ name: true, tableId: true, rows: true });

const entrySchema = cataloguedEntrySchema
  .omit({ metadata_url: true, markdown_url: true, freshness: true, publisher: true })
  .extend({ publisher: z.string().describe("Slug."), tables: z.array(listedTableSchema) });

export const searchDatasetsTool = tool({
  name: "search_datasets",
  title: "Search the catalogue",
  description:
    "Lists published datasets, newest first (with q, best match first), filtered by topic, publisher (slug) or " +
    "license. Returns total, and per dataset its slug, summary, licence and tables with tableId and row counts. " +
    "Pass slug to get_dataset and tableId as table_id to the other tools. For the next page, pass cursor = " +
    "next_cursor with the same arguments.",
  access: "connector_open",
  hints: READING,
  input: z.strictObject({
    topic: catalogueQuery.topic,
    publisher: catalogueQuery.publisher,
    license: catalogueQuery.license,
    q: catalogueQuery.q.describe("Search words. Stems, prefixes and small typos match."),
    sort: z.enum(["relevance", "published", "title"]).optional(),
    limit: z.int().min(1).max(50).default(10),
    cursor: z.string().max(2000).optional(),
  }),
  output: catalogueSchema.extend({ datasets: z.array(entrySchema) }),
  async call(query, ctx) {
    const found = await execute(searchDatasets, { query }, ctx);
    const datasets = found.datasets.map(
      ({ metadata_url: _m, markdown_url: _d, freshness: _f, publisher, tables, ...entry }) => ({
        ...entry,
        publisher: publisher.slug,
        tables: tables.map(({ name, tableId, rows }) => ({ name, tableId, rows })),
      }),
    );
    return { structured: { ...found, datasets } };
  },
});

/** A table's entry without the addresses. */
export function agentTable({
  name,
  slug,
  tableId,
  version_id,
  license,
  rows,
  bytes,
}: z.output<typeof tableEntrySchema>): z.output<typeof agentTableSchema> {
  return { name, slug, tableId, version_id, license, rows, bytes };
}
