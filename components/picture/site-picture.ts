import { formatPlural } from "@/lib/kernel/format";
import type { PictureText } from "./picture";
import type { ProfileBars } from "./profile-bars";

/**
 * The picture of pages that are not about a single dataset. `bars` come from the newest dataset with a distribution to
 * draw.
 */
export const sitePicture = (datasets: number, bars: ProfileBars | undefined): PictureText => ({
  title: "Open data as immutable Parquet",
  summary: "Search, preview, query and download real open datasets. Every result cites its version and SHA-256.",
  facts: ["Parquetry", formatPlural(datasets, "dataset"), "no account needed to read"],
  bars: bars && { ...bars, label: "" },
});
