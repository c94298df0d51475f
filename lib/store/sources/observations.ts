import { database } from "@/lib/store/postgres/database";

export interface LastRead {
  at: Date;
  bytes: number;
  partitions: number;
}

/** When each source of a dataset was last read, and how many bytes that was, by the source's name. */
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

/** Verdicts use the newest 400 readings. */
const RUNS_RETAINED = 500;
const DROPPED_AT_ONCE = 20_000;
const ENDED_MS = 60_000;

/** Only for datasets with a run that has just ended. Anything left is deleted at the end of the next one. */
const DROP = `DELETE FROM "SourceObservation" WHERE id IN (
    SELECT o.id FROM "Build" b
      JOIN LATERAL (SELECT n."finishedAt" FROM "Run" n WHERE n."datasetId" = b."datasetId"
        ORDER BY n."createdAt" DESC LIMIT 1) newest ON newest."finishedAt" >= $1
      CROSS JOIN LATERAL (
        SELECT r."createdAt" AS at FROM "Run" r WHERE r."datasetId" = b."datasetId"
        ORDER BY r."createdAt" DESC OFFSET ${RUNS_RETAINED - 1} LIMIT 1) oldest
      JOIN "SourceObservation" o ON o."datasetId" = b."datasetId" AND o.at < oldest.at
    LIMIT ${DROPPED_AT_ONCE})`;

/**
 * Deletes what was read before the newest 500 runs of a dataset: a source of thousands of pages adds as many per run.
 */
export async function dropOldObservations(now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(DROP, [new Date(now.getTime() - ENDED_MS)]);
}
