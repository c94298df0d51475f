import { packageFile } from "./package-file";
import type { ShowcaseVersion } from "./showcase";

/** The package that collects the data, named as a source beside the original publisher. */
export const VEGA_SOURCE = { name: "vega-datasets 3.2.1", url: "https://github.com/vega/vega-datasets" };

/** The release of vega-datasets that is installed; the file is published as it is unless `prepare` says otherwise. */
export function vegaVersion(
  file: string,
  prepare: ShowcaseVersion["prepare"] = async () => packageFile("vega-datasets", `data/${file}`),
): ShowcaseVersion {
  return { label: "3.2.1", publishedAt: new Date("2025-10-04T17:45:15.105Z"), prepare };
}
