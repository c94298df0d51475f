import { readFile } from "node:fs/promises";
import { harvestSources } from "@/lib/publish/harvest-sources";
import { findHarvest } from "@/lib/store/sources/sources";
import { packageFile } from "./package-file";

/** Harvests the sources listed by vega-datasets, unless a provider has already been harvested. */
export async function harvestShowcaseSources(): Promise<void> {
  if (await findHarvest()) return;
  const document = await readFile(packageFile("vega-datasets", "datapackage.json"), "utf8");
  const baseUrl = "https://cdn.jsdelivr.net/npm/vega-datasets@3.2.1/data/";
  await harvestSources(
    { document, homepage: "https://github.com/vega/vega-datasets", baseUrl, now: new Date() },
    { actor: "service" },
  );
}
