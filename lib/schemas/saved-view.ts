import { z } from "zod";

/** Maximum number of saved views per person. */
export const SAVED_VIEWS_MAX = 1000;
/** Maximum length of a view's query string: that of a page's URL. */
const QUERY_MAX = 8000;
/** Control characters and line ends do not belong in a URL. */
const QUERY = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** What a short link opens: a table's explorer, or the page for SQL. */
const pageSchema = z.enum(["explorer", "sql"]);

export const newSavedViewSchema = z.strictObject({
  table_id: z.uuid().describe("The UUID of a table that you may read; for SQL, of the first one of the query."),
  page: pageSchema
    .default("explorer")
    .describe("The page that the link opens: a table’s explorer, or the one for SQL."),
  query: z
    .string()
    .max(QUERY_MAX)
    .regex(QUERY, { error: "Use one line without control characters." })
    .describe("The view as the query string of the page's URL, without a question mark; `title` is its title."),
});

/** Maximum length of a title, as in the explorer. */
const TITLE_MAX = 120;

export const savedViewChangeSchema = z.strictObject({
  title: z
    .string()
    .max(TITLE_MAX)
    .regex(QUERY, { error: "Use one line without control characters." })
    .nullable()
    .describe("Its new title; null for none."),
});

export const savedViewPathSchema = z.strictObject({ view_id: z.string().describe("The view's id.") });

const savedViewSchema = z.object({
  id: z.string().describe("The last part of its short link."),
  url: z.url().describe("The short link, which opens the view."),
  title: z.string().nullable(),
  table_id: z.uuid(),
  page: pageSchema,
  query: z.string(),
  created_at: z.iso.datetime(),
});

const listedViewSchema = savedViewSchema.extend({
  dataset: z
    .object({ slug: z.string(), title: z.string() })
    .nullable()
    .describe("Null if you can no longer read the table: its dataset was withdrawn or made private."),
  table: z.object({ slug: z.string(), name: z.string() }).nullable(),
});

export const createdSavedViewSchema = z
  .object({ schema_version: z.literal("service-saved-view.v1"), view: savedViewSchema })
  .meta({ id: "SavedView" });

export const savedViewsSchema = z
  .object({ schema_version: z.literal("service-saved-views.v1"), views: z.array(listedViewSchema) })
  .meta({ id: "SavedViews" });

export const openedViewSchema = z
  .object({
    schema_version: z.literal("service-public-view.v1"),
    dataset: z.string().describe("Slug of the dataset."),
    table: z.string().describe("Slug of the table."),
    page: pageSchema,
    query: z.string().describe("The view as the query string of the page's URL."),
  })
  .meta({ id: "OpenedView" });

export type SavedViewReply = z.output<typeof savedViewSchema>;
