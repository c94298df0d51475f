import { z } from "zod";
import { toolPart } from "@/lib/operations/tool-part";
import { columnSchema } from "@/lib/schemas/column";
import { type Dataset, datasetSchema } from "@/lib/schemas/dataset";
import { agentTable, agentTableSchema } from "./agent-table";

/** Above this number of columns a dataset lists only its tables. */
const COLUMNS_MAX = 120;

const inputSchema = z.strictObject({
  slug: z.string().max(200).describe("A slug, or an id from search."),
});
const listedColumnSchema = columnSchema
  .pick({ name: true, type: true, unit: true, description: true })
  .partial({ unit: true, description: true });

export const getDatasetTool = toolPart({
  title: "Get a dataset",
  description:
    "One dataset in structured form: description, licence, sources, coverage, citation, and each table with " +
    "table_id, version_id, row count and its columns' names, types, units and meanings. Operators, functions " +
    "and value profiles of columns come from get_table_schema.",
  input: inputSchema,
  output: datasetSchema
    .omit({ metadata_url: true, markdown_url: true, versions_url: true, croissant_url: true, citation: true })
    .extend({
      citation: z.string(),
      publisher: z.string().describe("Name."),
      freshness: z.string().describe("State."),
      tables: z.array(
        agentTableSchema.extend({
          description: z.string(),
          columns: z.array(listedColumnSchema),
          columns_total: z.int(),
        }),
      ),
    }),
  view(dataset: Dataset) {
    const {
      metadata_url: _m,
      markdown_url: _d,
      versions_url: _v,
      croissant_url: _c,
      citation,
      publisher,
      freshness,
      tables,
      ...rest
    } = dataset;
    const isWide = tables.reduce((sum, { columns }) => sum + columns.length, 0) > COLUMNS_MAX;
    const agentTables = tables.map((table) => ({
      ...agentTable(table),
      description: table.description,
      columns: isWide
        ? []
        : table.columns.map(({ name, type, unit, description }) => ({
            name,
            type,
            ...(unit && { unit }),
            ...(description && { description }),
          })),
      columns_total: table.columns.length,
    }));
    return {
      structured: {
        ...rest,
        citation: citation.text,
        publisher: publisher.name,
        freshness: freshness.state,
        tables: agentTables,
      },
    };
  },
});

export const listTablesTool = toolPart({
  name: "list_tables",
  title: "List a dataset's tables",
  description:
    "The tables of one dataset with table_id, version_id, description, row count, size and licence. Pass " +
    "table_id to get_table_schema, sample_rows and query_table.",
  input: inputSchema,
  output: z.strictObject({
    slug: z.string(),
    title: z.string(),
    tables: z.array(agentTableSchema.extend({ description: z.string(), columns_total: z.int() })),
  }),
  view(dataset: Dataset) {
    const tables = dataset.tables.map((table) => ({
      ...agentTable(table),
      description: table.description,
      columns_total: table.columns.length,
    }));
    return { structured: { slug: dataset.slug, title: dataset.title, tables } };
  },
});
