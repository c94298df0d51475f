import type { Prisma } from "@/prisma/generated/client";
import { type CatalogueFilter, FACET_CONDITIONS, MATCHING, matchingValues } from "./catalogue-matching";
import { database, lookUp } from "./database";
import { readableBy } from "./readable";
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

const ORDERS = {
  relevance: { rank: "score", type: "int", after: "<", direction: "DESC" },
  published: { rank: `"publishedAt"`, type: "timestamptz", after: "<", direction: "DESC" },
  title: { rank: `"sortTitle"`, type: "text", after: ">", direction: "ASC" },
} as const;

const CHOSEN =
  `SELECT m.id, m."publishedAt", m."sortTitle", m.score FROM matching m WHERE ` +
  `${Object.values(FACET_CONDITIONS).join(" AND ")}`;

/** Public datasets in the requested order, the total number of matches, and how the words were read. */
export async function findDatasetIds(
  listing: CatalogueListing,
  now: Date,
): Promise<{ total: number; positions: CataloguePosition[]; terms: SearchTerm[] }> {
  const { pool } = await database();
  const { values, terms } = await matchingValues(listing, now);
  const order = ORDERS[listing.sort];
  const { rows } = await pool.query<CataloguePosition & { total: number }>(
    `${MATCHING}, chosen AS (${CHOSEN}), page AS (
       SELECT id, ${order.rank} AS rank FROM chosen WHERE $12::text IS NULL OR (${order.rank}, id) ${order.after}
         (($12::text)::${order.type}, $13::uuid)
       ORDER BY ${order.rank} ${order.direction}, id ${order.direction} LIMIT $14
     )
     SELECT (SELECT count(*)::int FROM chosen) AS total, page.id, page.rank::text AS rank,
       ARRAY(SELECT DISTINCT h.part::text FROM hits h WHERE h."datasetId" = page.id ORDER BY 1) AS "matchedOn"
     FROM (SELECT) always LEFT JOIN page ON true ORDER BY page.rank ${order.direction}, page.id ${order.direction}`,
    [...values, listing.after?.rank ?? null, listing.after?.id ?? null, listing.limit],
  );
  return { total: rows[0]?.total ?? 0, positions: rows.filter(({ id }) => id !== null), terms };
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

/** A dataset that was published, so that it has a licence and a publisher. */
export type DatasetRecord = Found & { license: string; publisher: NonNullable<Found["publisher"]> };

const isPublished = (record: Found): record is DatasetRecord => record.license !== null && record.publisher !== null;

/** Datasets with publisher, tables and current versions, in the order of `ids`. */
export async function findDatasets(ids: readonly string[]): Promise<DatasetRecord[]> {
  const { prisma } = await database();
  const records = await prisma.dataset.findMany({ where: { id: { in: [...ids] } }, include: WHOLE });
  const byId = new Map(records.filter(isPublished).map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export type NamedSource = { name: string; url: string | null; license: string | null };

/** The sources that public datasets name, by slug; those that name none are absent. */
export async function publicSources(): Promise<Map<string, NamedSource[]>> {
  const { prisma } = await database();
  const where = { visibility: "public" as const, NOT: { sources: { equals: [] } } };
  const found = await prisma.dataset.findMany({ where, select: { slug: true, sources: true } });
  return new Map(found.map(({ slug, sources }) => [slug, namedSources(sources)]));
}

/** Sources as a dataset keeps them; those of early publications say nothing of a licence. */
export const namedSources = (sources: Prisma.JsonValue): NamedSource[] =>
  (sources as (Omit<NamedSource, "license"> & { license?: string | null })[]).map(({ name, url, license = null }) => ({
    ...{ name, url, license },
  }));

const FIND_ID = `SELECT d.id FROM "Dataset" d
  WHERE d.slug = $1 AND d."publishedAt" IS NOT NULL AND ${readableBy("$2")}`;

/**
 * A published dataset that a workspace may read (undefined: anonymous). Undefined for unknown, private, foreign and
 * withdrawn datasets alike, all rejected by the same look-up.
 */
export async function findDataset(slug: string, workspaceId: string | undefined): Promise<DatasetRecord | undefined> {
  const [found] = await lookUp<{ id: string }>("find-dataset", FIND_ID, [slug, workspaceId ?? null]);
  const [record] = found ? await findDatasets([found.id]) : [];
  return record;
}
