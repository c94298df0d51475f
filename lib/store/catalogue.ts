import type { Prisma } from "@/prisma/generated/client";
import { database, lookUp } from "./database";
import { readableBy } from "./readable";

export type CatalogueSort = "relevance" | "published" | "title";

export interface CatalogueFilter {
  /** Search words, lower case; every one must be found. None: everything. */
  words: readonly string[];
  topic?: string | undefined;
  /** The publisher's slug. */
  publisher?: string | undefined;
  license?: string | undefined;
  sort: CatalogueSort;
  limit: number;
  /** The last entry of the page before. */
  after?: { rank: string; id: string } | undefined;
}

export interface CataloguePosition {
  id: string;
  /** The value sorted by, as text. */
  rank: string;
  matchedOn: string[];
}

/** Public datasets in the asked order, and how many there are in all. */
export async function findDatasetIds(filter: CatalogueFilter): Promise<{ total: number; positions: CataloguePosition[] }> {
  const { pool } = await database();
  const values = [filter.words, filter.topic ?? null, filter.publisher ?? null, filter.license ?? null];
  const { rows: counted } = await pool.query<{ n: number }>(`${MATCHING} SELECT count(*)::int AS n FROM matching`, values);
  const order = ORDERS[filter.sort];
  const { rows } = await pool.query<CataloguePosition>(
    `${MATCHING} SELECT id, ${order.rank}::text AS rank, "matchedOn" FROM matching
     WHERE $5::text IS NULL OR (${order.rank}, id) ${order.after} (($5::text)::${order.type}, $6::uuid)
     ORDER BY ${order.rank} ${order.direction}, id ${order.direction} LIMIT $7`,
    [...values, filter.after?.rank ?? null, filter.after?.id ?? null, filter.limit],
  );
  return { total: counted[0]?.n ?? 0, positions: rows };
}

const ORDERS = {
  relevance: { rank: "score", type: "int", after: "<", direction: "DESC" },
  published: { rank: `"publishedAt"`, type: "timestamptz", after: "<", direction: "DESC" },
  title: { rank: `"sortTitle"`, type: "text", after: ">", direction: "ASC" },
} as const;

// A word is found whole or stemmed (10), as a prefix (7), or misspelt (3), times the weight of where it stands; each word counts where it weighs most.
const MATCHING = `WITH words AS (
  SELECT word, to_tsquery('english', quote_literal(word) || ':*') AS prefix FROM unnest($1::text[]) AS word
), wanted AS (
  SELECT * FROM words WHERE numnode(prefix) > 0
), hits AS (
  SELECT s."datasetId", w.word, s.part,
    CASE s.part WHEN 'title' THEN 60 WHEN 'slug' THEN 40 WHEN 'summary' THEN 25 WHEN 'topics' THEN 16 WHEN 'publisher' THEN 16 WHEN 'tables' THEN 10 WHEN 'columns' THEN 9 ELSE 5 END
    * CASE WHEN s.words @@ plainto_tsquery('english', w.word) THEN 10 WHEN s.words @@ w.prefix THEN 7 ELSE 3 END AS score
  FROM wanted w JOIN "SearchText" s ON s.words @@ w.prefix OR (length(w.word) > 3 AND word_similarity(w.word, s.text) >= 0.55)
), found AS (
  SELECT "datasetId", sum(best)::int AS score FROM (SELECT "datasetId", word, max(score) AS best FROM hits GROUP BY 1, 2) b
  GROUP BY 1 HAVING count(*) = (SELECT count(*) FROM wanted)
), matching AS (
  SELECT d.id, d."publishedAt", lower(d.title) AS "sortTitle", COALESCE(f.score, 0) AS score,
    ARRAY(SELECT DISTINCT h.part::text FROM hits h WHERE h."datasetId" = d.id ORDER BY 1) AS "matchedOn"
  FROM "Dataset" d JOIN "Publisher" p ON p.id = d."publisherId" LEFT JOIN found f ON f."datasetId" = d.id
  WHERE d.visibility = 'public' AND d."publishedAt" IS NOT NULL
    AND (cardinality($1::text[]) = 0 OR f."datasetId" IS NOT NULL)
    AND ($2::text IS NULL OR $2 = ANY (d.topics)) AND ($3::text IS NULL OR p.slug = $3) AND ($4::text IS NULL OR d.license = $4)
)`;

const WHOLE = {
  publisher: true,
  tables: {
    where: { currentVersionId: { not: null } },
    orderBy: [{ position: "asc" }, { slug: "asc" }],
    include: { currentVersion: { omit: { profiles: true } } },
  },
} satisfies Prisma.DatasetInclude;

export type DatasetRecord = Prisma.DatasetGetPayload<{ include: typeof WHOLE }>;

/** Datasets with publisher, tables and current versions, in the order of `ids`. */
export async function findDatasets(ids: readonly string[]): Promise<DatasetRecord[]> {
  const { prisma } = await database();
  const records = await prisma.dataset.findMany({ where: { id: { in: [...ids] } }, include: WHOLE });
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const FIND_ID = `SELECT d.id FROM "Dataset" d WHERE d.slug = $1 AND d."publishedAt" IS NOT NULL AND ${readableBy("$2")}`;

/**
 * A published dataset that a workspace may read (undefined: the anonymous); undefined for unknown, private, foreign and withdrawn ones alike,
 * all refused by the same look-up.
 */
export async function findDataset(slug: string, workspaceId: string | undefined): Promise<DatasetRecord | undefined> {
  const [found] = await lookUp<{ id: string }>("find-dataset", FIND_ID, [slug, workspaceId ?? null]);
  const [record] = found ? await findDatasets([found.id]) : [];
  return record;
}
