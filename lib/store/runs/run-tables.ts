import type { StoredColumn } from "@/lib/schemas/column";
import { database } from "@/lib/store/postgres/database";

/** A table that a run produced, with what a query needs to know about it. */
export interface RunTable {
  /** The id of the version, or of the sample's artifact. */
  id: string;
  slug: string;
  digest: string;
  bytes: number;
  rows: number;
  columns: StoredColumn[];
  primaryKey: string[];
  at: Date;
  /** A sealed table, a sample, a table that a failed run would have sealed, or the rejects of any run. */
  kind: "sealed" | "sample" | "candidate" | "rejects";
  /** The dataset's table with this slug; null if there is none yet. */
  tableId: string | null;
  /** When what was sealed was first made current; null if it never was. */
  publishedAt: Date | null;
  withdrawnAt: Date | null;
  withdrawnReason: string | null;
}

const KINDS = ["sealed", "sample", "candidate", "rejects"];

const SQL = `SELECT v.id, t.slug, v.digest, v.bytes::float8 AS bytes, v.rows::float8 AS rows, v.columns,
    v."primaryKey", r."sealedAt" AS at, 'sealed' AS kind, t.id AS "tableId",
    v."publishedAt", v."withdrawnAt", v."withdrawnReason"
  FROM "Release" r JOIN "Version" v ON v.id = r."versionId" JOIN "Table" t ON t.id = r."tableId"
  WHERE r."runId" = $1::uuid
  UNION ALL
  SELECT a.id, a."tableSlug", a.digest, a.bytes::float8, a.rows::float8, a.columns, '{}', a."createdAt",
    split_part(a.kind::text, '_', 1), t.id, NULL, NULL, NULL
  FROM "RunArtifact" a JOIN "Run" n ON n.id = a."runId"
    LEFT JOIN "Table" t ON t."datasetId" = n."datasetId" AND t.slug = a."tableSlug"
  WHERE a."runId" = $1::uuid AND a.kind IN ('sample_table', 'candidate_table', 'rejects')
    AND a."expiresAt" > $2 AND a."tableSlug" IS NOT NULL`;

/**
 * The tables that a run sealed, or else its sample or the candidates of a failed run; and its rejects, unless a table
 * has that name.
 */
export async function runTables(runId: string, now: Date): Promise<RunTable[]> {
  const { pool } = await database();
  const { rows } = await pool.query<RunTable>(SQL, [runId, now]);
  const ranked = [...rows].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  return ranked.filter(({ slug }, at) => ranked.findIndex((other) => other.slug === slug) === at);
}
