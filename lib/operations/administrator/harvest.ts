import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { currentHarvest } from "@/lib/operations/search-sources";
import { harvestSources as harvest } from "@/lib/publish/harvest-sources";
import { type Harvest, harvestSchema } from "@/lib/schemas/source";
import { ADMINISTRATOR } from "@/lib/store/audit";

async function shownHarvest(): Promise<Harvest> {
  const found = await currentHarvest();
  if (!found) throw new Error("Nothing has been harvested yet. Run: parquetry sources harvest DOCUMENT");
  return found;
}

const view = ({ coverage, ...facts }: Harvest) => ({ record: { ...facts, ...coverage } });

/** Stores a provider's list of sources, replacing the previous one. */
export const harvestSources = operation({
  name: "harvest_sources",
  summary: "Harvest a provider's list of sources",
  description:
    "Harvests a provider's list of sources (a file: Frictionless datapackage.json, CKAN package_search response " +
    "or DCAT data.json), replacing the previous one. The sources themselves are not opened.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      document: z.string(),
      provider: z.string().min(1).optional().describe("the provider's name (default: the name in the document)"),
      homepage: z.url().optional().describe("the provider's page"),
      base_url: z.url().optional().describe("the base URL for relative paths of sources"),
    }),
  },
  output: harvestSchema,
  async run({ body: { base_url, ...request } }, ctx) {
    await harvest({ ...request, baseUrl: base_url, now: ctx.now() }, ADMINISTRATOR);
    return await shownHarvest();
  },
  cli: {
    usage: "sources harvest <document>",
    valueNames: { provider: "name", homepage: "url", base_url: "url" },
    files: ["document"],
    view,
  },
});

/** What was harvested last. */
export const showHarvest = operation({
  name: "show_harvest",
  summary: "Show what was harvested",
  description: "Shows what was harvested, when, and its coverage.",
  access: "operator",
  quota: "none",
  input: {},
  output: harvestSchema,
  run: shownHarvest,
  cli: { usage: "sources show", view },
});
