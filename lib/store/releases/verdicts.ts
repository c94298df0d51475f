import { audited } from "@/lib/store/audit";
import { lockDataset } from "@/lib/store/datasets/lock-dataset";
import { recordNews } from "@/lib/store/news/news";
import { database } from "@/lib/store/postgres/database";

/** The stored verdict on a table. Times are milliseconds since 1970. */
export interface StoredTableVerdict {
  state: string;
  since: number;
  /** True from the news that it is stale to the news of its recovery. */
  isStale: boolean;
}

export interface StoredVerdict {
  state: string;
  reason: string;
  since: Date;
  /** By table id. */
  tables: Readonly<Record<string, StoredTableVerdict>>;
}

const UNSETTLED = `SELECT b."datasetId" FROM "Build" b LEFT JOIN "Standing" s ON s."datasetId" = b."datasetId"
  WHERE EXISTS (SELECT 1 FROM "Table" t WHERE t."datasetId" = b."datasetId" AND t."currentVersionId" IS NOT NULL)
    AND (s."checkAt" IS NULL OR s."checkAt" <= $1
      OR EXISTS (SELECT 1 FROM "Run" r WHERE r."datasetId" = b."datasetId" AND r."finishedAt" > s."computedAt")
      OR EXISTS (SELECT 1 FROM "Table" t JOIN "Promotion" p ON p."tableId" = t.id
        WHERE t."datasetId" = b."datasetId" AND p.at > s."computedAt"))
  LIMIT 200`;

/** Built datasets whose verdict may differ from the stored one. */
export async function unsettledDatasets(now: Date): Promise<string[]> {
  const { pool } = await database();
  return (await pool.query<{ datasetId: string }>(UNSETTLED, [now])).rows.map(({ datasetId }) => datasetId);
}

export async function findVerdict(datasetId: string): Promise<StoredVerdict | undefined> {
  const { prisma } = await database();
  const found = await prisma.standing.findUnique({ where: { datasetId } });
  return found ? { ...found, tables: found.tables as unknown as StoredVerdict["tables"] } : undefined;
}

/** A table that became stale, or is no longer stale. */
export interface VerdictNews {
  kind: "went_stale" | "recovered";
  table: { id: string; slug: string };
  freshness: { state: string; reason_code: string; expected_next_latest: string | null };
}

export interface NewVerdict extends StoredVerdict {
  datasetId: string;
  computedAt: Date;
  checkAt: Date;
}

/**
 * Stores a verdict and its news exactly once. Does nothing if another worker did so after `before`, or if the dataset
 * has been deleted in the meantime.
 */
export async function storeVerdict(
  { datasetId, tables, ...verdict }: NewVerdict,
  before: StoredVerdict | undefined,
  news: readonly VerdictNews[],
): Promise<void> {
  const data = { ...verdict, tables: tables as unknown as object };
  await audited({ actor: "service" }, async (transaction) => {
    if (!(await lockDataset(transaction, datasetId))) return;
    const present = await transaction.standing.findUnique({ where: { datasetId } });
    const known = JSON.stringify(present?.tables ?? null) === JSON.stringify(before?.tables ?? null);
    if (!known) return;
    await transaction.standing.upsert({ where: { datasetId }, create: { datasetId, ...data }, update: data });
    for (const { kind, table, freshness } of news)
      await recordNews(transaction, { kind, datasetId, at: verdict.computedAt, data: { tables: [table], freshness } });
  });
}
