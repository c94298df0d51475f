import { processWide } from "@/lib/kernel/process-wide";
import { recall, remember } from "@/lib/store/caches/cached-answers";
import { CachedFacts, cachedStatement } from "@/lib/store/caches/cached-facts";
import { readableBy } from "@/lib/store/datasets/readable";
import { database, lookUp } from "@/lib/store/postgres/database";
import type { Prisma } from "@/prisma/generated/client";
import { type CatalogueFilter, type Matches, matchCatalogue } from "./catalogue-matching";
import { partsOf } from "./catalogue-scores";
import { IS_PUBLIC, type PublicCatalogue, type PublicDataset } from "./public-catalogue";
import type { SearchTerm } from "./search-terms";

export type CatalogueSort = "relevance" | "published" | "title";

export interface CatalogueListing extends CatalogueFilter {
  sort: CatalogueSort;
  limit: number;
  /** The last entry of the previous page. */
  after?: { rank: string; id: string } | undefined;
}

export interface CataloguePosition {
  id: string;
  /** The sort key, as a string. */
  rank: string;
  matchedOn: string[];
}

/** The results, with the readings of the words and the catalogue they were found in. */
export interface FoundDatasets {
  total: number;
  positions: CataloguePosition[];
  terms: SearchTerm[];
  catalogue: PublicCatalogue;
}

/** Public datasets in the requested order, the total number of matches, and the readings of the words. */
export async function findDatasetIds(listing: CatalogueListing, now: Date): Promise<FoundDatasets> {
  const matches = await matchCatalogue(listing, now);
  const indexes = chosenIndexes(matches);
  const page =
    listing.sort === "relevance" ? bestOf(matches, indexes, listing) : await pageInOrder(matches, indexes, listing);
  return {
    total: indexes.length,
    positions: page.map((index) => positionOf(matches, index, listing.sort)),
    terms: matches.terms,
    catalogue: matches.catalogue,
  };
}

function chosenIndexes({ catalogue: { datasets }, found, failing }: Matches): number[] {
  return [...(found ? found.indexes : datasets.keys())].filter((index) => failing(index) === 0);
}

function positionOf({ catalogue, found }: Matches, index: number, sort: CatalogueSort): CataloguePosition {
  const { id, publishedAt, sortTitle } = catalogue.datasets[index] as PublicDataset;
  const ranks = { relevance: String(found?.scores[index] ?? 0), published: publishedAt, title: sortTitle };
  return { id, rank: ranks[sort], matchedOn: partsOf(found?.parts[index] ?? 0) };
}

/** The page's indexes by score, best first. */
function bestOf(
  { catalogue, found }: Matches,
  indexes: readonly number[],
  { limit, after }: CatalogueListing,
): number[] {
  const score = (index: number) => found?.scores[index] ?? 0;
  const id = (index: number) => (catalogue.datasets[index] as PublicDataset).id;
  const isBefore = (a: number, b: number) => score(a) > score(b) || (score(a) === score(b) && id(a) > id(b));
  const last = after && { score: Number(after.rank), id: after.id };
  const isLeft = (index: number) =>
    !last || score(index) < last.score || (score(index) === last.score && id(index) < last.id);
  const best: number[] = [];
  for (const index of indexes) {
    const worst = best.at(-1);
    if (!isLeft(index) || (best.length === limit && worst !== undefined && !isBefore(index, worst))) continue;
    let at = best.length;
    while (at > 0 && isBefore(index, best[at - 1] as number)) at -= 1;
    best.splice(at, 0, index);
    if (best.length > limit) best.pop();
  }
  return best;
}

/** The page's indexes in one of the catalogue's orders. */
async function pageInOrder(
  { catalogue }: Matches,
  indexes: readonly number[],
  { sort, limit, after }: CatalogueListing,
): Promise<number[]> {
  const wanted = new Uint8Array(catalogue.datasets.length);
  for (const index of indexes) wanted[index] = 1;
  const order = sort === "title" ? Uint32Array.from(catalogue.datasets.keys()) : catalogue.byPublished;
  const page: number[] = [];
  for (let at = after ? await startAfter(catalogue, order, sort, after) : 0; at < order.length; at += 1) {
    if (page.length === limit) break;
    const index = order[at] as number;
    if (wanted[index] === 1) page.push(index);
  }
  return page;
}

/** The first index in an order after a position, which may have moved or disappeared since. */
async function startAfter(
  catalogue: PublicCatalogue,
  order: Uint32Array,
  sort: CatalogueSort,
  { rank, id }: { rank: string; id: string },
): Promise<number> {
  const index = catalogue.indexOf(id);
  const dataset = index === undefined ? undefined : catalogue.datasets[index];
  const stands = dataset && (sort === "title" ? dataset.sortTitle : dataset.publishedAt) === rank;
  return stands && index !== undefined ? order.indexOf(index) + 1 : await countUpTo(sort, { rank, id });
}

const UP_TO = {
  published: `(d."publishedAt", d.id) >= ($1::timestamptz, $2::uuid)`,
  title: "(lower(d.title), d.id) <= ($1, $2::uuid)",
} as const;

/** The number of public datasets up to and including a position. */
async function countUpTo(sort: CatalogueSort, { rank, id }: { rank: string; id: string }): Promise<number> {
  const upTo = UP_TO[sort === "title" ? "title" : "published"];
  const sql = `SELECT count(*)::int AS count FROM "Dataset" d
    WHERE ${IS_PUBLIC} AND d."publisherId" IS NOT NULL AND ${upTo}`;
  const [row] = await lookUp<{ count: number }>(`catalogue-count-${sort}`, sql, [rank, id]);
  return row?.count ?? 0;
}

const WHOLE = {
  publisher: true,
  tables: {
    where: { currentVersionId: { not: null } },
    orderBy: [{ position: "asc" }, { slug: "asc" }],
    include: { currentVersion: { omit: { profiles: true } } },
  },
} satisfies Prisma.DatasetInclude;

type Found = Prisma.DatasetGetPayload<{ include: typeof WHOLE }>;

/** A published dataset, which therefore has a licence and a publisher. */
export type DatasetRecord = Found & { license: string; publisher: NonNullable<Found["publisher"]> };

const isPublished = (record: Found): record is DatasetRecord => record.license !== null && record.publisher !== null;

const cacheName = (id: string): string => `dataset ${id}`;

/**
 * Datasets with publisher, tables and current versions, in the order of `ids`. Those that were read under this
 * generation come from memory.
 */
export async function findDatasets(ids: readonly string[], under?: string): Promise<DatasetRecord[]> {
  const known = ids.flatMap((id) => recall<DatasetRecord>(cacheName(id), under) ?? []);
  const missing = ids.filter((id) => !known.some((record) => record.id === id));
  const read = missing.length > 0 ? await readDatasets(missing) : [];
  for (const record of read) remember(cacheName(record.id), under, record);
  const byId = new Map([...known, ...read].map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function readDatasets(ids: readonly string[]): Promise<DatasetRecord[]> {
  const { prisma } = await database();
  const records = await prisma.dataset.findMany({ where: { id: { in: [...ids] } }, include: WHOLE });
  return records.filter(isPublished);
}

export type NamedSource = { name: string; url: string | null; license: string | null };

/** Sources as stored with a dataset. Those of early publications state no licence. */
export const namedSources = (sources: Prisma.JsonValue): NamedSource[] =>
  (sources as (Omit<NamedSource, "license"> & { license?: string | null })[]).map(({ name, url, license = null }) => ({
    ...{ name, url, license },
  }));

const FIND_ID = cachedStatement(
  "find-dataset",
  `d.id FROM "Dataset" d WHERE d.slug = $1 AND d."publishedAt" IS NOT NULL AND ${readableBy("$2")}`,
);
const CACHED_IDS_MAX = 20_000;
const cachedIds = () => processWide("cached-datasets", () => new CachedFacts<{ id: string }>(FIND_ID, CACHED_IDS_MAX));

/**
 * A published dataset that a workspace may read (undefined: anonymous). Undefined for unknown, private, foreign and
 * withdrawn datasets alike, all rejected by the same lookup.
 */
export async function findDataset(
  slug: string,
  workspaceId: string | undefined,
  under?: string,
): Promise<DatasetRecord | undefined> {
  const name = `${slug} ${workspaceId ?? ""}`;
  const found = cachedIds().find(name, under) ?? (await cachedIds().read(name, [slug, workspaceId ?? null]));
  const [record] = found ? await findDatasets([found.id], under) : [];
  return record;
}
