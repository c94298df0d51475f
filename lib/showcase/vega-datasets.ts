import { packageFile } from "./package-file";
import type { ShowcaseVersion } from "./showcase";

/** The package that collects the data, cited as a source in addition to the original publisher. */
export const VEGA_SOURCE = { name: "vega-datasets 3.2.1", url: "https://github.com/vega/vega-datasets" };

/** The installed release of vega-datasets; the file is published unchanged unless there is a `prepare`. */
export function vegaVersion(
  file: string,
  prepare: ShowcaseVersion["prepare"] = async () => packageFile("vega-datasets", `data/${file}`),
): ShowcaseVersion {
  return { label: "3.2.1", publishedAt: new Date("2025-10-04T17:45:15.105Z"), prepare };
}
