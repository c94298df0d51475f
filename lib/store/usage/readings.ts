import { type Author, audited } from "@/lib/store/audit";
import { type Reader, readableBy } from "@/lib/store/datasets/readable";
import { database, lookUp } from "@/lib/store/postgres/database";
import { flushUsage } from "./usage-buffer";

/** Connects a public dataset to a workspace once. Repeating it changes and records nothing. */
export async function connectDataset(workspaceId: string, datasetId: string, author: Author): Promise<void> {
  await audited(author, async (transaction, audit) => {
    const [connected] = await transaction.$queryRaw<{ slug: string }[]>`
      WITH made AS (INSERT INTO "Connection" ("workspaceId", "datasetId")
        VALUES (${workspaceId}::uuid, ${datasetId}::uuid)
        ON CONFLICT DO NOTHING RETURNING "datasetId")
      SELECT d.slug FROM made JOIN "Dataset" d ON d.id = made."datasetId"`;
    if (connected) audit({ action: "dataset.connected", workspaceId, subject: connected.slug });
  });
}

export interface ConnectedDataset {
  /** Null, like the title, if the workspace may no longer read it. */
  slug: string | null;
  title: string | null;
  connectedAt: Date;
  /** The day (UTC, such as 2026-11-20) of the last query or download with one of the workspace's keys. */
  lastReadOn: string | null;
}

const CONNECTED = `SELECT d.slug, d.title, c."connectedAt", to_char(max(u.day), 'YYYY-MM-DD') AS "lastReadOn"
  FROM "Connection" c LEFT JOIN "Dataset" d ON d.id = c."datasetId" AND ${readableBy("$1")} LEFT JOIN "Table" t ON
    t."datasetId" = c."datasetId"
    LEFT JOIN "Usage" u ON u."tableId" = t.id AND u."workspaceId" = c."workspaceId"
  WHERE c."workspaceId" = $1::uuid AND ($2::uuid[] IS NULL OR c."datasetId" = ANY($2::uuid[]))
  GROUP BY c."datasetId", d.id, c."connectedAt" ORDER BY c."connectedAt" DESC,
    c."datasetId"`;

/** The datasets connected to the reader's workspace, newest first. Flushes this process's pending usage first. */
export async function listConnected(reader: Reader): Promise<ConnectedDataset[]> {
  await flushUsage().catch(() => undefined); // they are retried soon
  return lookUp("list-connected", CONNECTED, [reader.workspaceId, reader.datasetIds ?? null]);
}

export interface DownloadReceipt {
  versionId: string;
  /** Computed from the bytes sent, 64 hex digits. */
  digest: string;
  bytes: number;
  at: Date;
  keyHash: string;
  pathHash: string;
}

/** Records one completed download. */
export async function recordDownload(receipt: DownloadReceipt): Promise<void> {
  const { prisma } = await database();
  await prisma.download.create({ data: { ...receipt, bytes: BigInt(receipt.bytes) } });
}

const MOST_READ = `SELECT u."tableId", d."workspaceId" FROM "Usage" u JOIN "Table" t ON t.id = u."tableId"
  JOIN "Dataset" d ON d.id = t."datasetId" WHERE u.day >= current_date - 7 AND t."currentVersionId" IS NOT NULL
  GROUP BY u."tableId", d."workspaceId" ORDER BY sum(u.queries) DESC, u."tableId" LIMIT $1`;

/** The tables that keys and agents queried most in the last week, each with the workspace that owns it, if one does. */
export const mostReadTables = (most: number): Promise<{ tableId: string; workspaceId: string | null }[]> =>
  lookUp("most-read-tables", MOST_READ, [most]);
