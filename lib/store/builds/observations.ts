import { database } from "@/lib/store/database";

export interface LastRead {
  at: Date;
  bytes: number;
  partitions: number;
}

/** When each source of a dataset was last read, and how much it was, by the source's name. */
export async function lastReads(datasetId: string): Promise<Map<string, LastRead>> {
  const { pool } = await database();
  const { rows } = await pool.query<LastRead & { source: string }>(
    `SELECT source, max(at) AS at, count(*)::int AS partitions, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
       SELECT DISTINCT ON (source, partition) source, partition, at, bytes FROM "SourceObservation"
       WHERE "datasetId" = $1::uuid AND outcome = 'ok' ORDER BY source, partition, at DESC) o
     GROUP BY source`,
    [datasetId],
  );
  return new Map(rows.map(({ source, ...read }) => [source, read]));
}
