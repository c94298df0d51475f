import { z } from "zod";
import type { Source, SourceCatalogue, Sweep } from "@/lib/schemas/source";
import { findSources, findSweep, type StoredSource, type SweepFacts } from "@/lib/store/sources";

const WORDS_MAX = 8;

export const sourceSearchSchema = z.strictObject({
  query: z
    .string()
    .max(200)
    .describe("Words to search for in names, descriptions and columns. Empty lists all sources."),
  format: z.string().max(40).optional().describe("Such as csv or json."),
  license: z
    .enum(["stated", "unknown"])
    .optional()
    .describe("Only sources with, or only without, a licence stated by the provider."),
  limit: z.int().min(1).max(50).default(10),
});

/** Searches the sources of the provider that was swept: what could be built from, not what is published here. */
export async function searchSources(search: z.output<typeof sourceSearchSchema>): Promise<SourceCatalogue> {
  const sweep = await findSweep();
  const { total, sources } = sweep ? await sourcesOf(sweep, search) : { total: 0, sources: [] };
  // replaced between the two questions
  if (sweep && total === 0 && (await findSweep())?.id !== sweep.id) return searchSources(search);
  return {
    schema_version: "service-source-catalogue.v1",
    sweep: sweep ? presentSweep(sweep) : null,
    total,
    sources: sources.map(presentSource),
    truncated: total > sources.length,
  };
}

function sourcesOf(
  { id: sweepId }: SweepFacts,
  { query, format, license, limit }: z.output<typeof sourceSearchSchema>,
) {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
  return findSources({ sweepId, words, format, license, limit });
}

/** The sweep that there is; null for none. */
export async function currentSweep(): Promise<Sweep | null> {
  const sweep = await findSweep();
  return sweep ? presentSweep(sweep) : null;
}

function presentSweep({
  provider,
  homepage,
  documentVersion,
  documentDigest,
  sweptAt,
  listed,
  taken,
  withColumns,
  withLicense,
}: SweepFacts): Sweep {
  const isWhole = taken >= listed && withColumns === taken && withLicense === taken;
  return {
    provider,
    homepage,
    document_version: documentVersion,
    document_digest: `sha256:${documentDigest}`,
    swept_at: sweptAt.toISOString(),
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
