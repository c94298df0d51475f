import { processWide } from "@/lib/kernel/process-wide";
import { recall, remember } from "@/lib/store/caches/cached-answers";
import { CachedFacts, cachedStatement } from "@/lib/store/caches/cached-facts";
import { isWithinScope, type Reader, readableBy } from "@/lib/store/datasets/readable";
import { database, lookUp } from "@/lib/store/postgres/database";
import type { Prisma } from "@/prisma/generated/client";
import { type CatalogueFilter, type Matches, matchCatalogue } from "./catalogue-matching";
import { partsByWord, partsOf } from "./catalogue-scores";
import type { SearchTerm } from "./postings";
import { IS_PUBLIC, type LoadedCatalogue } from "./public-catalogue";

export type CatalogueSort = "relevance" | "published" | "title";

export interface CatalogueListing extends CatalogueFilter {
  /** Only the private datasets of the reader's workspace. */
  isOwnOnly?: boolean;
  sort: CatalogueSort;
  limit: number;
  /** The last entry of the previous page. */
  after?: { rank: string; id: string } | undefined;
}

export interface CataloguePosition {
  id: string;
  /** The sort key, as a string. */
  rank: string;
  /** The parts in which any word occurs. */
  matchedOn: string[];
  /** For each of the terms, the parts in which it occurs (none for nowhere), and as which of its readings. */
  matchedBy: { parts: string[]; words: string[] }[];
}

/** The results, with the readings of the words. */
export interface FoundDatasets {
  total: number;
  positions: CataloguePosition[];
  /** If nothing is found, datasets that have some of the words, those with the most words first. */
  nearest: CataloguePosition[];
  terms: SearchTerm[];
  /** The public catalogue. */
  catalogue: LoadedCatalogue;
}

const NEAREST_MAX = 5;

/**
 * Public datasets, and those of the reader's workspace, in the requested order, the total number of matches, and the
 * readings of the words.
 */
export async function findDatasetIds(listing: CatalogueListing, now: Date): Promise<FoundDatasets> {
  const matches = await matchCatalogue(listing, now);
  const from = listing.isOwnOnly ? matches.searched[0].catalogue.datasets.length : 0;
  const isChosen = (index: number) => index >= from && matches.failing(index) === 0;
  const indexes = [...(matches.found ? matches.found.indexes : Array(matches.size).keys())].filter(isChosen);
  const page =
    listing.sort === "relevance" ? bestOf(matches, indexes, listing) : await pageInOrder(matches, indexes, listing);
  const near = indexes.length === 0 ? matches.found?.nearest(isChosen, NEAREST_MAX) : [];
  const [positions, nearest] = [page, near ?? []].map((some) => positionsOf(matches, some, listing.sort));
  const [{ catalogue }] = matches.searched;
  return {
    ...{ total: indexes.length, positions: positions ?? [], nearest: nearest ?? [] },
    ...{ terms: matches.terms, catalogue },
  };
}

function positionsOf(matches: Matches, indexes: readonly number[], sort: CatalogueSort): CataloguePosition[] {
  const { found, words, datasetAt } = matches;
  const byWord = partsByWord(words, indexes);
  return indexes.map((index) => {
    const { id, publishedAt, sortTitle } = datasetAt(index);
    const ranks = { relevance: String(found?.scores[index] ?? 0), published: publishedAt, title: sortTitle };
    const matchedBy = (byWord.get(index) ?? []).map((hit) => ({ parts: partsOf(hit.parts), words: hit.words }));
    return { id, rank: ranks[sort], matchedOn: partsOf(found?.parts[index] ?? 0), matchedBy };
  });
}

/** The page's indexes by score, best first. */
function bestOf(
  { datasetAt, found }: Matches,
  indexes: readonly number[],
  { limit, after }: CatalogueListing,
): number[] {
  const score = (index: number) => found?.scores[index] ?? 0;
  const id = (index: number) => datasetAt(index).id;
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
async function pageInOrder(matches: Matches, indexes: readonly number[], listing: CatalogueListing): Promise<number[]> {
  const [{ catalogue }] = matches.searched;
  const size = catalogue.datasets.length;
  const own = indexes.filter((index) => index >= size);
  const page = await publicPage(catalogue, indexes, listing);
  return own.length === 0 ? page : await inOrder(matches, [...page, ...own], listing);
}

async function publicPage(
  catalogue: LoadedCatalogue,
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

const ORDERED = {
  published: `SELECT d.id FROM "Dataset" d WHERE d.id = ANY ($1::uuid[])
    AND ($3::text IS NULL OR (d."publishedAt", d.id) < ($3::timestamptz, $4::uuid))
    ORDER BY d."publishedAt" DESC, d.id DESC LIMIT $2`,
  title: `SELECT d.id FROM "Dataset" d WHERE d.id = ANY ($1::uuid[])
    AND ($3::text IS NULL OR (lower(d.title), d.id) > ($3, $4::uuid)) ORDER BY lower(d.title), d.id LIMIT $2`,
} as const;

/** Those of the datasets that are after a position, in the database's order: titles are compared by its collation. */
async function inOrder(
  { datasetAt }: Matches,
  indexes: readonly number[],
  { sort, limit, after }: CatalogueListing,
): Promise<number[]> {
  const byId = new Map(indexes.map((index) => [datasetAt(index).id, index]));
  const { pool } = await database();
  const { rows } = await pool.query<{ id: string }>(ORDERED[sort === "title" ? "title" : "published"], [
    [...byId.keys()],
    limit,
    after?.rank ?? null,
    after?.id ?? null,
  ]);
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

/** The first index in an order after a position, which may have moved or disappeared since. */
async function startAfter(
  catalogue: LoadedCatalogue,
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
  `d.id AS "datasetId", d.slug AS "datasetSlug", d.visibility::text AS visibility FROM "Dataset" d
  WHERE d.slug = $1 AND d."publishedAt" IS NOT NULL AND ${readableBy("$2")}`,
);
type FoundId = Record<"datasetId" | "datasetSlug" | "visibility", string>;
const CACHED_IDS_MAX = 20_000;
const cachedIds = () => processWide("cached-datasets", () => new CachedFacts<FoundId>(FIND_ID, CACHED_IDS_MAX));

/**
 * A published dataset that a reader may read (undefined: anonymous). Undefined for unknown, private, foreign and
 * withdrawn datasets alike, all rejected by the same lookup. Fails with insufficient_scope for a public one outside the
 * scope of the reader's key.
 */
export async function findDataset(
  slug: string,
  reader: Reader | undefined,
  under?: string,
): Promise<DatasetRecord | undefined> {
  const workspaceId = reader?.workspaceId;
  const name = `${slug} ${workspaceId ?? ""}`;
  const found = cachedIds().find(name, under) ?? (await cachedIds().read(name, [slug, workspaceId ?? null]));
  if (!found || !isWithinScope(found, reader)) return undefined;
  return (await findDatasets([found.datasetId], under))[0];
}
