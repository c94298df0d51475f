import { z } from "zod";

const linkSchema = z.strictObject({ name: z.string(), url: z.string().nullable() });

/** A source as a provider's document describes it. */
export const sourceSchema = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  url: z.string().nullable(),
  format: z.string().nullable(),
  bytes: z.int().nullable(),
  columns: z.array(z.string()),
  license: z.string().nullable(),
  license_url: z.string().nullable(),
  license_state: z.enum(["stated", "unknown"]),
  origins: z.array(linkSchema),
});

/** When and how far a provider's sources were read. */
export const harvestSchema = z.strictObject({
  provider: z.string(),
  homepage: z.string().nullable(),
  document_version: z.string().nullable(),
  document_digest: z.string(),
  harvested_at: z.string(),
  coverage: z.strictObject({
    state: z
      .enum(["partial", "complete"])
      .describe(
        "Only the provider's list was read, not the sources. partial: some sources are missing from it, or have no " +
          "columns or licence.",
      ),
    listed: z.int().describe("Number of sources according to the provider."),
    taken: z.int(),
    with_columns: z.int(),
    with_license: z.int(),
  }),
});

export const sourceCatalogueSchema = z.strictObject({
  schema_version: z.literal("service-source-catalogue.v1"),
  harvest: harvestSchema.nullable().describe("Null if nothing has been harvested yet."),
  total: z.int(),
  sources: z.array(sourceSchema),
  truncated: z.boolean(),
});

export type Source = z.output<typeof sourceSchema>;
export type Harvest = z.output<typeof harvestSchema>;
export type SourceCatalogue = z.output<typeof sourceCatalogueSchema>;
