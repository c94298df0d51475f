import "server-only";
import type { Context } from "@/lib/access/context";
import { processCache } from "@/lib/kernel/cache";
import { catalogueKey } from "@/lib/operations/reading/catalogue-document";
import type { Catalogue, Dataset } from "@/lib/schemas/dataset";
import { findDatasets } from "./catalogue";
import { shownForNow } from "./passing";

type Entry = Catalogue["datasets"][number];

const TOPICS_COMPARED = 4;
const CANDIDATES = 12;
const SHOWN = 3;

const KEPT_MAX = 1000;
const cached = () => processCache<Entry[]>("related-datasets", { capacity: KEPT_MAX });

/**
 * The datasets that have the most in common with one: rare topics and the publisher weigh more than common topics.
 * Computed once per state of the catalogue; empty if that fails, because the page works without them.
 */
export async function readRelated(dataset: Dataset, ctx: Context): Promise<Entry[]> {
  try {
    const key = [dataset.slug, await catalogueKey(ctx)].join("\n");
    // the first reader may leave while others wait
    return await cached().get(key, () => findRelated(dataset, { ...ctx, signal: undefined }));
  } catch {
    await shownForNow();
    return [];
  }
}

async function findRelated(dataset: Dataset, ctx: Context): Promise<Entry[]> {
  const topics = dataset.topics.slice(0, TOPICS_COMPARED);
  const queries = [...topics.map((topic) => ({ topic: [topic] })), { publisher: [dataset.publisher.slug] }];
  const lists = await Promise.all(queries.map((query) => findDatasets({ ...query, limit: CANDIDATES }, ctx)));
  return mostShared(dataset.slug, lists);
}

function mostShared(slug: string, lists: readonly Catalogue[]): Entry[] {
  const found = new Map<string, { entry: Entry; score: number }>();
  for (const { total, datasets } of lists)
    for (const entry of datasets) {
      const score = (found.get(entry.slug)?.score ?? 0) + 1 / total;
      if (entry.slug !== slug) found.set(entry.slug, { entry, score });
    }
  const ranked = [...found.values()].sort((a, b) => b.score - a.score || (a.entry.slug < b.entry.slug ? -1 : 1));
  return ranked.slice(0, SHOWN).map(({ entry }) => entry);
}
