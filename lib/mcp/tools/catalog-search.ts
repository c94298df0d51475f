import { z } from "zod";
import { READING, tool } from "@/lib/mcp/tool";
import { searchSources, sourceSearchSchema } from "@/lib/operations/search-sources";
import { type Sweep, sourceCatalogueSchema, sourceSchema, sweepSchema } from "@/lib/schemas/source";

const COLUMNS_MAX = 20;
const DESCRIPTION_MAX = 300;

export const catalogSearchTool = tool({
  name: "catalog_search",
  title: "Search a provider's sources",
  description:
    "Searches public sources of one provider as they stood when its list was last read (sweep.swept_at), only in part (sweep.coverage). These are not the datasets published here and cannot be queried: use search for those. license_state unknown means that the provider states no licence: do not assume one. Needs a use key or a connection.",
  access: "connector_read",
  hints: READING,
  input: sourceSearchSchema,
  output: sourceCatalogueSchema.extend({
    sweep: sweepSchema.omit({ document_digest: true, homepage: true }).nullable(),
    sources: z.array(sourceSchema.omit({ license_url: true }).extend({ columns_total: z.int() })),
  }),
  async call(query) {
    const found = await searchSources(query);
    const sources = found.sources.map(({ license_url: _, ...source }) => ({
      ...source,
      description: source.description.length > DESCRIPTION_MAX ? `${source.description.slice(0, DESCRIPTION_MAX)}…` : source.description,
      columns: source.columns.slice(0, COLUMNS_MAX),
      columns_total: source.columns.length,
    }));
    return { structured: { ...found, sweep: shortSweep(found.sweep), sources } };
  },
});

function shortSweep(sweep: Sweep | null) {
  if (!sweep) return null;
  const { document_digest: _digest, homepage: _homepage, ...rest } = sweep;
  return rest;
}
