import { z } from "zod";
import { SIZES } from "@/lib/schemas/facets";
import { freshnessSchema } from "@/lib/schemas/freshness-report";
import { searchWords } from "@/lib/schemas/search-words";
import type { CatalogueFilter } from "@/lib/store/catalogue-matching";

/** PostgreSQL text cannot contain NUL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0"), "Send no NUL character");

/** The filters of the catalogue: parameters that its listing and its facets share. */
export const catalogueQuery = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Search text; only the first 8 words are used. Searches title, slug, summary, description, publisher, " +
        "topics, licence, and names and descriptions of tables and columns. Stems, prefixes and small typos match. " +
        "Returns datasets that match every word, or if there are none, those that match the most words. Text " +
        "without a letter or digit matches nothing.",
    ),
  topic: text(60).optional().describe("Only datasets with this topic."),
  publisher: text(80).optional().describe("Only datasets by the publisher with this slug."),
  license: text(200).optional().describe("Only datasets under this licence."),
  freshness: freshnessSchema.shape.state.optional().describe("Only datasets in this freshness state."),
  size: z.enum(SIZES).optional().describe("Only datasets with this total number of rows."),
};

type CatalogueQuery = { [K in keyof typeof catalogueQuery]?: string | undefined };

/** The stored form of a request's filters. */
export const catalogueFilter = ({
  q,
  topic,
  publisher,
  license,
  freshness,
  size,
}: CatalogueQuery): CatalogueFilter => ({
  words: searchWords(q),
  topic,
  publisher,
  license,
  freshness,
  size,
});
