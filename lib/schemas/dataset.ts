import { z } from "zod";
import { columnSchema } from "./column";
import { freshnessReportSchema, freshnessSchema } from "./freshness-report";
import { timestampSchema } from "./timestamp";

export const slugSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/, "Use 1 to 80 of a-z, 0-9 and inner hyphens.");

export const publisherSchema = z
  .strictObject({ name: z.string(), slug: z.string(), url: z.string().nullable() })
  .meta({ id: "Publisher" });

export const tableEntrySchema = z
  .strictObject({
    name: z.string(),
    slug: z.string(),
    tableId: z.uuid(),
    version_id: z.uuid(),
    version_number: z.int().min(1),
    version_label: z.string().nullable().describe("What the source calls the version; null for none."),
    license: z.string(),
    rows: z.int().min(0),
    bytes: z.int().min(0).describe("Size of the Parquet file."),
    schema_url: z.url(),
    preview_url: z.url(),
    query_url: z.url().describe("Requires a use key."),
    current_url: z.url().describe("Parquet; requires a use key."),
  })
  .meta({ id: "TableEntry" });

export const datasetEntrySchema = z
  .strictObject({
    title: z.string(),
    slug: z.string(),
    summary: z.string(),
    url: z.url().describe("The dataset's page."),
    publisher: publisherSchema,
    topics: z.array(z.string()),
    license: z.string().describe("SPDX identifier, or free text if the source gives none."),
    published_at: timestampSchema,
    freshness: freshnessSchema,
    metadata_url: z.url(),
    markdown_url: z.url(),
    tables: z.array(tableEntrySchema),
  })
  .meta({ id: "DatasetEntry" });

const matchedOnSchema = z.array(
  z.enum(["title", "slug", "summary", "description", "publisher", "topics", "tables", "columns", "license", "values"]),
);

export const matchedWordSchema = z
  .strictObject({
    word: z.string().describe("A word of the search text, in lower case and without accents."),
    found_as: z
      .array(z.string())
      .describe("What was found: the word itself, a synonym, a translation or a correction."),
    matched_on: matchedOnSchema,
    columns: z.array(z.string()).optional().describe("Up to 6 columns whose name or description has it."),
    values: z
      .array(z.strictObject({ table: z.string().describe("Slug."), column: z.string(), value: z.string() }))
      .optional()
      .describe("Up to 3 values that have it, each of another column."),
  })
  .meta({ id: "MatchedWord" });

export const cataloguedEntrySchema = datasetEntrySchema
  .extend({
    matched_on: matchedOnSchema
      .optional()
      .describe("Where the search text matched (values: the values of text columns); only with q."),
    matched_columns: z
      .array(z.string())
      .optional()
      .describe("Up to 6 columns whose name or description matched; only if matched_on includes columns."),
    matched_words: z
      .array(matchedWordSchema)
      .optional()
      .describe("Which words matched, and where; without stop words such as “the”; only with q."),
    missing_words: z.array(z.string()).optional().describe("The words of q that the dataset does not have."),
  })
  .meta({ id: "CataloguedDataset" });

export const catalogueSchema = z
  .strictObject({
    schema_version: z.literal("service-public-catalogue.v1"),
    total: z.int().min(0),
    datasets: z.array(cataloguedEntrySchema),
    nearest: z
      .array(cataloguedEntrySchema)
      .optional()
      .describe("If no dataset matches q: up to 5 that have some of its words somewhere, those with the most first."),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "Catalogue" });

export const datasetSchema = datasetEntrySchema
  .extend({
    schema_version: z.literal("service-public-dataset.v1"),
    description: z.string().describe("Markdown."),
    citation: z.strictObject({ text: z.string(), bibtex: z.string() }),
    sources: z.array(
      z.strictObject({
        name: z.string(),
        url: z.string().nullable(),
        license: z.string().nullable().describe("As stated by the source; null if not recorded."),
      }),
    ),
    temporal_coverage: z.string().nullable().describe("ISO 8601 interval."),
    created_at: timestampSchema,
    versions_url: z.url().describe("The page of the dataset's version history."),
    croissant_url: z.url(),
    tables: z.array(
      tableEntrySchema
        .extend({ description: z.string(), freshness: freshnessReportSchema, columns: z.array(columnSchema) })
        .meta({ id: "TableWithColumns" }),
    ),
  })
  .meta({ id: "Dataset" });

export const citationSchema = z
  .strictObject({
    schema_version: z.literal("service-public-citation.v1"),
    url: z.url().describe("The cited page: the dataset's or the version's."),
    text: z.string(),
    bibtex: z.string(),
    ris: z.string().describe("RIS, for import into reference managers."),
    csl_json: z.string().describe("CSL-JSON: an array of one item."),
    cff: z.string().describe("A CITATION.cff file."),
  })
  .meta({ id: "Citation" });

export type DatasetCitation = z.output<typeof citationSchema>;
export type DatasetEntry = z.output<typeof datasetEntrySchema>;
export type TableEntry = z.output<typeof tableEntrySchema>;
export type Catalogue = z.output<typeof catalogueSchema>;
export type Dataset = z.output<typeof datasetSchema>;
