import type { StoredColumn } from "@/lib/schemas/column";
import type { Change } from "@/lib/schemas/table";
import { database } from "@/lib/store/postgres/database";

/** A sealed version as its workspace lists it. `rows` is below 2^53. */
export interface ListedRelease {
  tableId: string;
  versionId: string;
  runId: string;
  sealedAt: Date;
  rows: number;
  digest: string;
  change: Change;
  isCurrent: boolean;
  /** Null before its first promotion. */
  publishedAt: Date | null;
  withdrawnAt: Date | null;
  /** 1 is the table's newest. */
  rank: number;
}

const NEWEST = 20;

const SQL = `SELECT * FROM (
    SELECT t.id AS "tableId", v.id AS "versionId", r."runId", r."sealedAt", v.rows::float8 AS rows, v.digest,
      v.change::text AS change, v.id IS NOT DISTINCT FROM t."currentVersionId" AS "isCurrent", v."publishedAt",
      v."withdrawnAt", row_number() OVER (PARTITION BY t.id ORDER BY v.sequence DESC)::int AS rank
    FROM "Table" t JOIN "Release" r ON r."tableId" = t.id JOIN "Version" v ON v.id = r."versionId"
    WHERE t."datasetId" = $1::uuid) n
  WHERE rank <= ${NEWEST} OR "isCurrent" ORDER BY "tableId", rank`;

/** The newest sealed versions of each of a dataset's tables, newest first, and its current one if that is older. */
export async function releasesOf(datasetId: string): Promise<ListedRelease[]> {
  const { pool } = await database();
  return (await pool.query<ListedRelease>(SQL, [datasetId])).rows;
}

/** A sealed version with the details of its release. */
export interface DetailedRelease extends ListedRelease {
  revisionId: string;
  bytes: number;
  columns: StoredColumn[];
  primaryKey: string[];
  orderBy: string[];
  continuity: string;
  /** As YYYY-MM-DD. */
  dataThrough: string | null;
  warnings: number;
  /** JSON text. */
  lineage: string;
}

const DETAILED = `SELECT * FROM (
    SELECT t.id AS "tableId", v.id AS "versionId", r."runId", r."revisionId", r."sealedAt", v.rows::float8 AS rows,
      v.bytes::float8 AS bytes, v.digest, v.change::text AS change, v.columns, v."primaryKey", v."orderBy",
      r.continuity::text AS continuity, r."dataThrough"::text AS "dataThrough", r.warnings, r.lineage,
      v.id IS NOT DISTINCT FROM t."currentVersionId" AS "isCurrent", v."publishedAt", v."withdrawnAt",
      row_number() OVER (ORDER BY v.sequence DESC)::int AS rank
    FROM "Table" t JOIN "Release" r ON r."tableId" = t.id JOIN "Version" v ON v.id = r."versionId"
    WHERE t.id = $1::uuid) n
  WHERE rank <= $2 OR "isCurrent" ORDER BY rank`;

/** The newest releases of a table, newest first, and also the current one if it is older. */
export async function detailedReleases(tableId: string, most: number): Promise<DetailedRelease[]> {
  const { pool } = await database();
  return (await pool.query<DetailedRelease>(DETAILED, [tableId, most])).rows;
}
