import { z } from "zod";
import { freshnessSchema } from "@/lib/schemas/dataset";
import { SIZES } from "@/lib/schemas/facets";
import { searchWords } from "@/lib/schemas/search-words";
import type { CatalogueFilter } from "@/lib/store/catalogue-matching";

/** PostgreSQL's texts hold no NUL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0"), "Send no NUL character");

/** What narrows the catalogue: the parameters that its listing and its facets have in common. */
export const catalogueQuery = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Search text, of which the first 8 words count: title, slug, summary, description, publisher, topics, " +
        "licence, table and column names and descriptions; stems, prefixes and small typing errors are found. " +
        "Datasets with every word, or where none has them all, those with most of them. A text without a letter " +
        "or digit finds nothing.",
    ),
  topic: text(60).optional().describe("Only datasets with this topic."),
  publisher: text(80).optional().describe("Only datasets of the publisher with this slug."),
  license: text(200).optional().describe("Only datasets under this licence."),
  freshness: freshnessSchema.shape.state.optional().describe("Only datasets in this state of freshness."),
  size: z.enum(SIZES).optional().describe("Only datasets with so many rows in all their tables."),
};

type CatalogueQuery = { [K in keyof typeof catalogueQuery]?: string | undefined };

/** The stored form of what a request narrows the catalogue to. */
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
