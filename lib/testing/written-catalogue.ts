import type { CatalogueFacts, ListedDataset } from "@/lib/describe/listed-dataset";
import type { Dataset, DatasetEntry } from "@/lib/schemas/dataset";

type Write = (batches: Iterable<ListedDataset[]>, facts: CatalogueFacts) => AsyncIterable<string>;

/** A catalogue document with these datasets, the newest first. */
export async function writtenCatalogue(
  write: Write,
  base: string,
  ...datasets: readonly (Dataset | DatasetEntry)[]
): Promise<string> {
  const listed = datasets.map((dataset) => ({ sources: [], ...dataset }) as ListedDataset);
  const isWatched = datasets.some(({ freshness }) => freshness.state !== "unknown");
  const facts = { base, newest: datasets[0]?.published_at, isWatched };
  const batches = listed.map((dataset) => [dataset]);
  let text = "";
  for await (const piece of write(batches, facts)) text += piece;
  return text;
}
