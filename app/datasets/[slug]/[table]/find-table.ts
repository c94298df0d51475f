import "server-only";
import { type OpenDataset, openDataset } from "@/app/catalogue";
import { tableSegment } from "@/lib/describe/links";
import type { Dataset } from "@/lib/schemas/dataset";

export interface FoundTable extends OpenDataset {
  table: Dataset["tables"][number];
}

/** The dataset and table of a URL; undefined if there is none. */
export async function findTable({ slug, table: segment }: { slug: string; table: string }) {
  const open = await openDataset(slug);
  const table = open?.dataset.tables.find((entry) => tableSegment(entry.slug) === segment);
  return open && table && ({ ...open, table } satisfies FoundTable);
}
