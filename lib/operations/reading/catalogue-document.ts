import type { Context } from "@/lib/access/context";
import type { Batches, CatalogueFacts, ListedDataset } from "@/lib/describe/listed-dataset";
import { presentDataset } from "@/lib/describe/present-dataset";
import { processWide } from "@/lib/kernel/process-wide";
import { Renewed } from "@/lib/kernel/renewed";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { CachedText, type OpenText } from "@/lib/storage/cached-text";
import { findListed } from "@/lib/store/catalogue/catalogue-entries";
import { type LoadedCatalogue, publicCatalogue } from "@/lib/store/catalogue/public-catalogue";

type At = Pick<Context, "baseUrl" | "now">;
type Pieces = AsyncIterable<string> | Iterable<string>;

const BATCH = 500;

const documents = () => processWide("catalogue-documents", () => new Map<string, Renewed<CachedText>>());

const keyOf = (baseUrl: string, { state }: LoadedCatalogue): string => [baseUrl, state].join("\n");

/** The name of the catalogue's public state, as a cache key; it changes with the state, and sometimes without it. */
export const catalogueKey = async ({ baseUrl, now }: At): Promise<string> =>
  keyOf(baseUrl, await publicCatalogue(now()));

/**
 * A document of the whole catalogue, open for one reader. It is written to a file once per state of the catalogue, in
 * pieces, by one writer at a time. `name` identifies the document.
 */
export async function catalogueText(
  name: string,
  { baseUrl, now }: At,
  write: (catalogue: LoadedCatalogue, at: At) => Pieces,
): Promise<OpenText> {
  const document = documentOf([baseUrl, name].join("\n"), async () => {
    const catalogue = await publicCatalogue(now());
    const make = () => CachedText.write(write(catalogue, { baseUrl, now }));
    return { key: keyOf(baseUrl, catalogue), make };
  });
  for (;;) {
    const text = await document.get(keyOf(baseUrl, await publicCatalogue(now())));
    const open = text.open();
    if (open) return open; // otherwise another one took its place in between
  }
}

function documentOf(name: string, renewal: ConstructorParameters<typeof Renewed<CachedText>>[0]): Renewed<CachedText> {
  const known = documents().get(name);
  if (known) return known;
  const created = new Renewed(renewal, (text) => void text.letGo().catch(() => undefined));
  documents().set(name, created);
  return created;
}

/** A document that lists every public dataset, newest first. */
export const catalogueDocument =
  (name: string, write: (batches: Batches, facts: CatalogueFacts) => Pieces) =>
  (_path: unknown, ctx: At): Promise<OpenText> =>
    catalogueText(name, ctx, (catalogue, at) => write(batchesOf(catalogue, at), factsOf(catalogue, at.baseUrl)));

function factsOf({ datasets, byPublished }: LoadedCatalogue, base: string): CatalogueFacts {
  const newest = datasets[byPublished[0] ?? -1];
  return {
    base,
    newest: newest && new Date(newest.publishedMs).toISOString(),
    isWatched: datasets.some(({ state }) => state !== null && state !== "unknown"),
  };
}

async function* batchesOf(
  { datasets, byPublished }: LoadedCatalogue,
  { baseUrl, now }: At,
): AsyncGenerator<ListedDataset[]> {
  for (let first = 0; first < byPublished.length; first += BATCH) {
    const ids = [...byPublished.subarray(first, first + BATCH)].flatMap((index) => datasets[index]?.id ?? []);
    const freshness = await freshnessOf(ids, now());
    yield (await findListed(ids)).map((record) => ({
      ...presentDataset(record, baseUrl, freshness(record.id).verdict),
      sources: record.sources,
    }));
  }
}
