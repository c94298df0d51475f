import { type NewsEvent, type NewsFacts, newsEventSchema } from "@/lib/schemas/news";
import { NEWS_KIND_NAMES, NEWS_KINDS, type NewsKind } from "@/lib/schemas/news-kinds";
import { NO_ROOM, WAITING_MAX } from "@/lib/schemas/watch";
import type { Transaction } from "@/lib/store/audit";
import { type Reader, readableBy } from "@/lib/store/datasets/readable";
import { database } from "@/lib/store/postgres/database";

/** The kinds of news that readers of a public dataset may receive. */
const OPEN_KINDS = NEWS_KIND_NAMES.filter((kind) => NEWS_KINDS[kind].isOpen);

type Happened = {
  [K in NewsKind]: { kind: K; datasetId: string; at: Date; data: NewsFacts[K] };
}[NewsKind];

/**
 * THE place where news originates: stores what happened, and a delivery for every watch that wants it, in the event's
 * own transaction. An event that is rolled back is not reported, and one that is committed is never lost. Workers send
 * the deliveries (`lib/worker/watches/`). A workspace with too many waiting deliveries gets more only as given up, with
 * the reason.
 */
export async function recordNews(transaction: Transaction, happened: Happened): Promise<void> {
  const { kind, datasetId, at } = happened;
  const tableIds = "tables" in happened.data ? happened.data.tables.map(({ id }) => id) : [];
  const dataset = await transaction.dataset.findUniqueOrThrow({
    where: { id: datasetId },
    select: { id: true, slug: true, title: true, visibility: true },
  });
  const event = newsEventSchema.parse({ kind, at: at.toISOString(), dataset, data: happened.data });
  const { id: newsId } = await transaction.news.create({
    data: { datasetId, tableIds, kind, at, data: event },
  });
  await transaction.$executeRaw`
    WITH waiting AS (SELECT v."workspaceId", count(*) AS number FROM "WatchDelivery" y JOIN "Watch" v
      ON v.id = y."watchId" WHERE y.state = 'waiting' GROUP BY v."workspaceId"),
    wanted AS (SELECT w.id, coalesce((SELECT number FROM waiting WHERE waiting."workspaceId" = w."workspaceId"), 0)
        + row_number() OVER (PARTITION BY w."workspaceId" ORDER BY w.id) <= ${WAITING_MAX} AS "hasRoom"
      FROM "Watch" w JOIN "Dataset" d ON d.id = ${datasetId}::uuid
    WHERE w."disabledAt" IS NULL AND ${kind} = ANY(w.events)
      AND (w."datasetId" = d.id OR (w."datasetId" IS NULL AND w."workspaceId" = d."workspaceId"))
      AND (w."tableId" IS NULL OR w."tableId" = ANY(${tableIds}::uuid[]) OR ${tableIds.length} = 0)
      AND (w."workspaceId" = d."workspaceId" OR (d.visibility = 'public' AND ${kind} = ANY(${OPEN_KINDS})))
      AND (w.channel <> 'email' OR EXISTS (SELECT 1 FROM "Membership" m
        WHERE m."userId" = w."userId" AND m."workspaceId" = w."workspaceId")))
    INSERT INTO "WatchDelivery" (id, "watchId", "newsId", event, state, "nextAt", answer, at)
    SELECT gen_random_uuid(), id, ${newsId}::uuid, ${JSON.stringify(event)}::jsonb,
      (CASE WHEN "hasRoom" THEN 'waiting' ELSE 'given_up' END)::"DeliveryState",
      CASE WHEN "hasRoom" THEN ${at}::timestamptz END, CASE WHEN NOT "hasRoom" THEN ${NO_ROOM} END, ${at}
    FROM wanted`;
}

/** The same for tables whose current version changed. If none is left, as after a withdrawal, there is no news. */
export async function recordReleased(
  transaction: Transaction,
  {
    datasetId,
    at,
    reason,
    tables,
  }: {
    datasetId: string;
    at: Date;
    reason: NewsFacts["released"]["reason"];
    tables: readonly { tableId: string; versionId: string; previousVersionId: string | null }[];
  },
): Promise<void> {
  const changed = tables.filter(({ versionId, previousVersionId }) => versionId !== previousVersionId);
  if (changed.length === 0) return;
  const versions = await transaction.version.findMany({
    where: { id: { in: changed.map(({ versionId }) => versionId) } },
    select: { id: true, tableId: true, change: true, rows: true, digest: true, table: { select: { slug: true } } },
  });
  const facts = versions.map(({ id, tableId, change, rows, digest, table }) => ({
    id: tableId,
    slug: table.slug,
    version_id: id,
    previous_version_id: changed.find((one) => one.versionId === id)?.previousVersionId ?? null,
    change,
    rows: Number(rows),
    content_digest: `sha256:${digest}`,
  }));
  await recordNews(transaction, { kind: "released", datasetId, at, data: { reason, tables: facts } });
}

/** How long news is kept. Feeds and the connector's list of updates contain only the newest. */
export const NEWS_DAYS = 400;

/** Deletes old news and its deliveries. */
export async function tidyNews(now: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.news.deleteMany({ where: { at: { lt: new Date(now.getTime() - NEWS_DAYS * 86_400_000) } } });
}

export interface StoredNews {
  id: string;
  event: NewsEvent;
}

const OPEN = `SELECT n.id, n.data AS event FROM "News" n
  JOIN "Dataset" d ON d.id = n."datasetId" AND ${readableBy("$1")}
  WHERE ($5::uuid[] IS NULL OR d.visibility = 'public' OR d.id = ANY($5::uuid[]))
    AND n.kind::text = ANY($2) AND ($3::text IS NULL OR d.slug = $3) ORDER BY n.at DESC, n.id DESC LIMIT $4`;

/** The newest news that the reader may read, of one dataset or of all, without news for members only. */
export async function openNews(
  reader: Reader | undefined,
  { dataset, limit }: { dataset?: string; limit: number },
): Promise<StoredNews[]> {
  const { pool } = await database();
  const { rows } = await pool.query<StoredNews>(OPEN, [
    ...[reader?.workspaceId ?? null, OPEN_KINDS, dataset ?? null, limit, reader?.datasetIds ?? null],
  ]);
  return rows.map(({ id, event }) => ({ id, event: newsEventSchema.parse(event) }));
}
