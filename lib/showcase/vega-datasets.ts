import { packageFile } from "./package-file";
import type { ShowcaseRecipe } from "./recipe";
import type { ShowcaseVersion } from "./showcase";

/** The package that collects the data, cited as a source in addition to the original publisher. */
export const VEGA_SOURCE = { name: "vega-datasets 3.2.1", url: "https://github.com/vega/vega-datasets" };

const RELEASE = "3.2.1";

/** The installed release of vega-datasets. The file is published unchanged unless there is a `prepare`. */
export function vegaVersion(
  file: string,
  prepare: ShowcaseVersion["prepare"] = async () => packageFile("vega-datasets", `data/${file}`),
): ShowcaseVersion {
  return { label: RELEASE, publishedAt: new Date("2025-10-04T17:45:15.105Z"), prepare };
}

type VegaRecipe = Pick<ShowcaseRecipe, "steps" | "checks"> & {
  /** Who collected the data, and their page. */
  origin: { name: string; url: string };
  file: string;
  reader: object;
};

/** Builds a table from a file of this one release. The data no longer change, so no later release is read. */
export function vegaRecipe({ origin, file, reader, steps, checks }: VegaRecipe): ShowcaseRecipe {
  const data = { name: "data", title: `${origin.name}, in ${VEGA_SOURCE.name}`, homepage: origin.url };
  const release = { package: "vega-datasets", version: RELEASE, path: `data/${file}`, status: "static" } as const;
  return { source: { ...data, ...release, reader }, folderOf: () => "vega-datasets", steps, checks };
}
