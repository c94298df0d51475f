import "server-only";
import { readDataset } from "@/app/catalogue";
import { tableSegment } from "@/lib/describe/links";
import type { Dataset } from "@/lib/schemas/dataset";

export interface FoundTable {
  dataset: Dataset;
  table: Dataset["tables"][number];
}

/** The dataset and table of a URL; undefined if there is none. */
export async function findTable({ slug, table: segment }: { slug: string; table: string }) {
  const dataset = await readDataset(slug);
  const table = dataset?.tables.find((entry) => tableSegment(entry.slug) === segment);
  return dataset && table && ({ dataset, table } satisfies FoundTable);
}
