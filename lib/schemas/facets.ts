import { z } from "zod";

/** Sizes by the rows of all tables, smallest first. */
export const SIZES = ["under-1k", "1k-10k", "10k-100k", "100k-1m", "over-1m"] as const;

const facetSchema = z
  .array(
    z.strictObject({
      value: z.string().describe("The value for the query parameter."),
      label: z.string(),
      count: z.int().min(0),
    }),
  )
  .describe("At most 100 values, those with the most datasets first.");

export const facetsSchema = z
  .strictObject({
    schema_version: z.literal("service-public-facets.v1"),
    total: z.int().min(0).describe("Number of datasets that match all filters."),
    words: z
      .array(
        z.strictObject({
          word: z.string(),
          found: z
            .enum(["whole", "prefix", "similar", "none"])
            .describe("As typed or by its stem; as a prefix; as a misspelling; not found."),
          read_as: z.array(z.string()).describe("The catalogue words it was interpreted as, most likely first."),
        }),
      )
      .describe("How the search words were interpreted, without stop words such as “the”."),
    suggestion: z
      .string()
      .nullable()
      .describe("The search text with misspelt words corrected; null if there is nothing to correct."),
    facets: z.strictObject({
      topic: facetSchema,
      publisher: facetSchema,
      license: facetSchema,
      freshness: facetSchema,
      size: facetSchema,
    }),
  })
  .meta({ id: "Facets" });

export type Facets = z.output<typeof facetsSchema>;
