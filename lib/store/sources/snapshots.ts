import { database } from "@/lib/store/postgres/database";

/**
 * The snapshots that a dataset's next refresh may need: those that its newest sealed run was built from. A part's file
 * ends with its digest. To be completed by a condition on `b`, the build.
 */
export const NEEDED_SNAPSHOTS = `SELECT DISTINCT b."workspaceId", right(part->>'file', 64) AS digest
  FROM "Build" b
    CROSS JOIN LATERAL (SELECT n.plan FROM "Run" n WHERE n."datasetId" = b."datasetId" AND n.state = 'sealed'
      AND n.kind <> 'replay' AND n.plan ? 'sources' ORDER BY n."createdAt" DESC LIMIT 1) newest
    CROSS JOIN LATERAL jsonb_array_elements(newest.plan->'sources') source
    CROSS JOIN LATERAL jsonb_array_elements(source->'parts') part`;

/** Whether a snapshot has not been used since `before`. */
export async function hasOldSnapshots(before: Date): Promise<boolean> {
  const { prisma } = await database();
  return (await prisma.sourceSnapshot.findFirst({ where: { usedAt: { lt: before } } })) !== null;
}

const DROP_OLD = `WITH old AS MATERIALIZED (SELECT "workspaceId", digest FROM "SourceSnapshot" WHERE "usedAt" < $1),
  needed AS MATERIALIZED (${NEEDED_SNAPSHOTS} WHERE b."workspaceId" IN (SELECT "workspaceId" FROM old)),
  kept AS (UPDATE "SourceSnapshot" s SET "usedAt" = $2 FROM old JOIN needed USING ("workspaceId", digest)
    WHERE s."workspaceId" = old."workspaceId" AND s.digest = old.digest)
  DELETE FROM "SourceSnapshot" s USING old WHERE s."workspaceId" = old."workspaceId" AND s.digest = old.digest
    AND NOT EXISTS (SELECT 1 FROM needed n WHERE n."workspaceId" = old."workspaceId" AND n.digest = old.digest)
  RETURNING s.digest`;

/**
 * Forgets snapshots that were last used before `before`, except for those that a refresh may need, which count as used
 * now. Returns the digests that were forgotten; others may still name them.
 */
export async function dropOldSnapshots(before: Date, now: Date): Promise<string[]> {
  const { pool } = await database();
  const { rows } = await pool.query<{ digest: string }>(DROP_OLD, [before, now]);
  return rows.map(({ digest }) => digest);
}

interface NewSnapshot {
  workspaceId: string;
  digest: string;
  bytes: number;
}

/** The bytes of a workspace's snapshots with one more, which may be among them already. */
export async function snapshotBytesWith({ workspaceId, digest, bytes }: NewSnapshot): Promise<number> {
  const { pool } = await database();
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM "SourceSnapshot"
     WHERE "workspaceId" = $1::uuid AND digest <> $2`,
    [workspaceId, digest],
  );
  return (rows[0]?.bytes ?? 0) + bytes;
}

/** Those that are needed, or were used since $3, come first and are never dropped. */
const DROP_FOR_ROOM = `WITH needed AS MATERIALIZED (${NEEDED_SNAPSHOTS} WHERE b."workspaceId" = $1::uuid),
  own AS (SELECT digest, bytes, "usedAt", "usedAt" >= $3 OR digest IN (SELECT digest FROM needed) AS "isNeeded"
    FROM "SourceSnapshot" WHERE "workspaceId" = $1::uuid AND digest <> $2),
  ranked AS (SELECT digest, "isNeeded", sum(bytes) OVER (ORDER BY "isNeeded" DESC, "usedAt" DESC, digest) AS upto
    FROM own)
  DELETE FROM "SourceSnapshot" s USING ranked WHERE s."workspaceId" = $1::uuid AND s.digest = ranked.digest
    AND NOT ranked."isNeeded" AND ranked.upto > $4
    AND $4 >= (SELECT coalesce(sum(bytes), 0) FROM own WHERE "isNeeded") RETURNING s.digest`;

/**
 * Forgets as many of a workspace's snapshots as have to go for a new one within `bytesMax`: the least recently used
 * first, none that a refresh may need or that was used since `since`, and none at all if that is not enough. Returns
 * the digests that were forgotten.
 */
export async function dropSnapshotsFor(
  { workspaceId, digest, bytes }: NewSnapshot,
  { bytesMax, since }: { bytesMax: number; since: Date },
): Promise<string[]> {
  const { pool } = await database();
  const values = [workspaceId, digest, since, bytesMax - bytes];
  const { rows } = await pool.query<{ digest: string }>(DROP_FOR_ROOM, values);
  return rows.map((row) => row.digest);
}
