import { database } from "./database";

/** Connects a public dataset to a workspace; a second time changes nothing. */
export async function connectDataset(workspaceId: string, datasetId: string): Promise<void> {
  const { pool } = await database();
  await pool.query(`INSERT INTO "Connection" ("workspaceId", "datasetId") VALUES ($1::uuid, $2::uuid) ON CONFLICT DO NOTHING`, [workspaceId, datasetId]);
}

export interface DownloadReceipt {
  versionId: string;
  /** Measured from the bytes sent, 64 hex digits. */
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
