import { z } from "zod";

/** Sizes by the rows of all tables, smallest first. */
export const SIZES = ["under-1k", "1k-10k", "10k-100k", "100k-1m", "over-1m"] as const;

const facetSchema = z
  .array(
    z.strictObject({
      value: z.string().describe("What the parameter takes."),
      label: z.string(),
      count: z.int().min(0),
    }),
  )
  .describe("At most 100 values, those of most datasets first.");

export const facetsSchema = z
  .strictObject({
    schema_version: z.literal("service-public-facets.v1"),
    total: z.int().min(0).describe("Datasets that all choices together leave."),
    words: z
      .array(
        z.strictObject({
          word: z.string(),
          found: z
            .enum(["whole", "prefix", "similar", "none"])
            .describe("As it stands or by its stem; as the beginning of words; as a misspelling; nowhere."),
          read_as: z.array(z.string()).describe("The words of the catalogue that it was taken for, likeliest first."),
        }),
      )
      .describe("How the search text was read, without words such as “the”."),
    suggestion: z
      .string()
      .nullable()
      .describe("The search text with its misspelt words corrected; null where nothing is to correct."),
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
