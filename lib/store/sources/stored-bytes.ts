import { database } from "@/lib/store/postgres/database";
import { NEEDED_SNAPSHOTS } from "./snapshots";

/** What a workspace's builds store. */
export interface StoredBytes {
  datasets: number;
  snapshots: number;
  snapshotBytes: number;
  /** The part of these that refreshes of approved recipes may need. */
  pinnedBytes: number;
  versions: number;
  versionBytes: number;
}

/** Identical files of two versions are stored once. */
const STORED = `SELECT (SELECT count(*)::int FROM "Build" WHERE "workspaceId" = $1::uuid) AS datasets,
    s.snapshots, s."snapshotBytes", s."pinnedBytes", v.versions, v."versionBytes"
  FROM (SELECT count(*)::int AS snapshots, coalesce(sum(bytes), 0)::float8 AS "snapshotBytes",
      coalesce(sum(bytes) FILTER (WHERE digest IN (SELECT digest FROM (${NEEDED_SNAPSHOTS}
        WHERE b."workspaceId" = $1::uuid) needed)), 0)::float8 AS "pinnedBytes"
    FROM "SourceSnapshot" WHERE "workspaceId" = $1::uuid) s
  CROSS JOIN (SELECT count(*)::int AS versions, coalesce(sum(bytes), 0)::float8 AS "versionBytes"
    FROM (SELECT DISTINCT c.digest, c.bytes FROM "Build" b JOIN "Table" t ON t."datasetId" = b."datasetId"
      JOIN "Version" c ON c."tableId" = t.id WHERE b."workspaceId" = $1::uuid) files) v`;

/** How many datasets a workspace builds, and the disk space of their snapshots and versions. */
export async function storedBytes(workspaceId: string): Promise<StoredBytes> {
  const { pool } = await database();
  const { rows } = await pool.query<StoredBytes>(STORED, [workspaceId]);
  if (!rows[0]) throw new Error("no row of sums");
  return rows[0];
}
