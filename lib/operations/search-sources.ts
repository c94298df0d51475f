import { z } from "zod";
import { type Harvest, type Source, type SourceCatalogue, sourceCatalogueSchema } from "@/lib/schemas/source";
import { findHarvest, findSources, type HarvestFacts, type StoredSource } from "@/lib/store/sources/sources";
import { operation } from "./operation";
import { catalogSearchTool } from "./views/sources-tool";

const WORDS_MAX = 8;

const searchSchema = z.strictObject({
  query: z.string().max(200).describe("Words; empty lists all sources."),
  format: z.string().max(40).optional().describe("Such as csv or json."),
  license: z.enum(["stated", "unknown"]).optional().describe("Whether the provider states a licence."),
  limit: z.int().min(1).max(50).default(10),
});

/** The connector's search of the sources that were harvested. */
export const catalogSearch = operation({
  name: "catalog_search",
  summary: "Search a provider's sources",
  description: "Searches the sources of the provider that was harvested.",
  access: "connector_read",
  quota: "catalogue",
  input: { query: searchSchema },
  output: sourceCatalogueSchema,
  run: ({ query }): Promise<SourceCatalogue> => searchSources(query),
  mcp: catalogSearchTool,
});

/**
 * Searches the harvested sources of a provider: sources that datasets could be built from, not what is published here.
 */
export async function searchSources(search: z.output<typeof searchSchema>): Promise<SourceCatalogue> {
  const harvest = await findHarvest();
  const { total, sources } = harvest ? await sourcesOf(harvest, search) : { total: 0, sources: [] };
  // replaced between the two queries
  if (harvest && total === 0 && (await findHarvest())?.id !== harvest.id) return searchSources(search);
  return {
    schema_version: "service-source-catalogue.v1",
    harvest: harvest ? presentHarvest(harvest) : null,
    total,
    sources: sources.map(presentSource),
    truncated: total > sources.length,
  };
}

function sourcesOf({ id: harvestId }: HarvestFacts, { query, format, license, limit }: z.output<typeof searchSchema>) {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
  return findSources({ harvestId, words, format, license, limit });
}

/** The current harvest; null if there is none. */
export async function currentHarvest(): Promise<Harvest | null> {
  const harvest = await findHarvest();
  return harvest ? presentHarvest(harvest) : null;
}

function presentHarvest({
  provider,
  homepage,
  documentVersion,
  documentDigest,
  harvestedAt,
  listed,
  taken,
  withColumns,
  withLicense,
}: HarvestFacts): Harvest {
  const isWhole = taken >= listed && withColumns === taken && withLicense === taken;
  return {
    provider,
    homepage,
    document_version: documentVersion,
    document_digest: `sha256:${documentDigest}`,
    harvested_at: harvestedAt.toISOString(),
    coverage: {
      state: isWhole ? "complete" : "partial",
      listed,
      taken,
      with_columns: withColumns,
      with_license: withLicense,
    },
  };
}

function presentSource({
  name,
  title,
  description,
  url,
  format,
  bytes,
  columns,
  license,
  licenseUrl,
  origins,
}: StoredSource): Source {
  const state = license === null ? "unknown" : "stated";
  return {
    name,
    title,
    description,
    url,
    format,
    bytes,
    columns,
    license,
    license_url: licenseUrl,
    license_state: state,
    origins,
  };
}
