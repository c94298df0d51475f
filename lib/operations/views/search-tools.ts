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

type Entry = Catalogue["datasets"][number];
type Unseen = Pick<Entry, "matched_words" | "missing_words">;

/** The fields of a match, in short: every list of tools repeats them. The API's document has them in full. */
const matchShape = {
  matched_on: z.array(z.string()).optional(),
  matched_words: z.array(z.looseObject({ word: z.string() })).optional(),
  missing_words: z.array(z.string()).optional(),
};

const resultSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  summary: z.string(),
  ...matchShape,
  tables: z.array(z.string()).describe("dataset/table."),
});

/** The first half of the two-tool contract that chat clients know. */
export const searchTool = toolPart({
  name: "search",
  title: "Search datasets",
  description:
    "Searches published datasets and your workspace's own: texts, names and descriptions of tables and columns, and " +
    'values. Start with 2 to 5 words, such as "bird strikes". Returns up to 10, best first, and where: ' +
    "pass one of tables as table_id to get_table_schema and query_table, or id to fetch, or as slug to get_dataset. " +
    "For filters, use search_datasets.",
  input: z.strictObject({ query: z.string().max(200).describe("Search words.") }),
  toInput: ({ query }) => ({ query: { q: query, limit: RESULTS_MAX } }),
  output: z.strictObject({
    results: z.array(resultSchema),
    advice: z.string().optional(),
  }),
  async view(found: Catalogue, { args, ctx }) {
    const { nearest = [] } = found;
    const advice = await adviceFor(found, { q: args.query }, ctx.now());
    return { structured: { results: [...found.datasets, ...nearest].map(resultOf), ...advice } };
  },
});

function resultOf(entry: Entry): z.input<typeof resultSchema> {
  const { slug, title, url, summary, matched_on = [], tables } = entry;
  return {
    ...{ id: slug, title, url, summary: beginning(summary, SUMMARY_MAX), matched_on, ...unseenMatches(entry) },
    tables: tables.slice(0, TABLES_MAX).map((table) => `${slug}/${table.slug}`),
  };
}

const SEEN: readonly string[] = ["title", "slug", "summary", "topics"];

/** Where the words were found that the entry itself does not show, and which ones were not found. */
function unseenMatches({ matched_words = [], missing_words }: Entry): Unseen {
  const unseen = matched_words.filter(
    ({ word, found_as, matched_on }) => !found_as.includes(word) || !matched_on.some((part) => SEEN.includes(part)),
  );
  return { ...(unseen.length > 0 && { matched_words: unseen }), ...(missing_words && { missing_words }) };
}

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
  .extend({ publisher: z.string().describe("Slug."), ...matchShape, tables: z.array(listedTableSchema) });

export const searchDatasetsTool = toolPart({
  title: "Search the catalogue",
  description:
    "Lists published datasets, newest first (with q, best match first), filtered by topic, publisher (slug) or " +
    "license: one or several. Returns total, per dataset its slug, summary, licence and " +
    "tables with table_id and row counts. Pass slug to get_dataset and table_id to the other tools. For " +
    "the next page, pass cursor = next_cursor with the same arguments.",
  input: z.strictObject({
    topic: choice(catalogueQuery.topic),
    publisher: choice(catalogueQuery.publisher),
    license: choice(catalogueQuery.license),
    q: catalogueQuery.q.describe("Search words."),
    sort: z.enum(["relevance", "published", "title"]).optional(),
    limit: z.int().min(1).max(50).default(10),
    cursor: z.string().max(2000).optional(),
  }),
  output: catalogueSchema.extend({
    datasets: z.array(entrySchema),
    nearest: z.array(z.looseObject({ slug: z.string() })).optional(),
    advice: z.string().optional(),
  }),
  async view(found: Catalogue, { args, ctx }) {
    const nearest = found.nearest?.map((entry) => ({
      ...{ slug: entry.slug, title: entry.title, ...unseenMatches(entry) },
    }));
    const advice = await adviceFor(found, args, ctx.now());
    return { structured: { ...found, datasets: found.datasets.map(listedOf), ...(nearest && { nearest }), ...advice } };
  },
});

function listedOf(entry: Entry): z.input<typeof entrySchema> {
  const { metadata_url: _m, markdown_url: _d, freshness: _f, matched_words: _w, publisher, tables, ...rest } = entry;
  return {
    ...{ ...rest, ...unseenMatches(entry) },
    publisher: publisher.slug,
    tables: tables.map(({ name, slug, tableId, rows }) => ({ name, slug, table_id: tableId, rows })),
  };
}
