import { database } from "@/lib/store/postgres/database";

/** How a version was built, as its release and run recorded it. */
export interface SealedBuild {
  tableId: string;
  versionId: string;
  sealedAt: Date;
  /** When the worker claimed the full run; null for runs that were never claimed. */
  claimedAt: Date | null;
  finishedAt: Date | null;
  revision: number;
  /** Canonical JSON text. */
  document: string;
  /** 64 hex digits. */
  documentDigest: string;
  /** `sha256:` and 64 hex digits. */
  recipeDigest: string | null;
  showsRecipe: boolean;
  /** JSON text: `SealedLineage`. */
  lineage: string;
  /** `RunCheck[]`. */
  checks: unknown;
}

const FIND = `SELECT r."tableId", r."versionId", r."sealedAt",
    n."claimedAt", n."finishedAt", v.number AS revision, v.document,
    v."documentDigest", coalesce(n."recipeDigest", v."recipeDigest") AS "recipeDigest", b."showsRecipe", r.lineage,
    r.checks
  FROM "Release" r JOIN "Run" n ON n.id = r."runId" JOIN "RecipeRevision" v ON v.id = r."revisionId"
  JOIN "Build" b ON b."datasetId" = v."datasetId"`;

/** How versions were built. Versions that a publisher prepared are absent. */
export async function findBuilds(versionIds: readonly string[]): Promise<SealedBuild[]> {
  const { pool } = await database();
  return (await pool.query<SealedBuild>(`${FIND} WHERE r."versionId" = ANY($1::uuid[])`, [versionIds])).rows;
}
