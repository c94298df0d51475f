import { readFile } from "node:fs/promises";
import { sweepSources } from "@/lib/publish/sweep-sources";
import { findSweep } from "@/lib/store/sources";
import { packageFile } from "./package-file";

/** Sweeps the sources that vega-datasets lists, unless a provider was swept already. */
export async function sweepShowcaseSources(): Promise<void> {
  if (await findSweep()) return;
  const document = await readFile(packageFile("vega-datasets", "datapackage.json"), "utf8");
  const baseUrl = "https://cdn.jsdelivr.net/npm/vega-datasets@3.2.1/data/";
  await sweepSources(
    { document, homepage: "https://github.com/vega/vega-datasets", baseUrl, now: new Date() },
    { actor: "service" },
  );
}
