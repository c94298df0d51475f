import { database } from "@/lib/store/postgres/database";

/** When a source of a dataset was last seen with these bytes, by SHA-256. Digests never seen are absent. */
export async function lastSeen(datasetId: string, digests: readonly string[]): Promise<Map<string, Date>> {
  const { pool } = await database();
  const { rows } = await pool.query<{ digest: string; at: Date }>(
    `SELECT "rawDigest" AS digest, max(at) AS at FROM "SourceObservation"
     WHERE "datasetId" = $1::uuid AND outcome = 'ok' AND "rawDigest" = ANY($2) GROUP BY 1`,
    [datasetId, digests],
  );
  return new Map(rows.map(({ digest, at }) => [digest, at]));
}
