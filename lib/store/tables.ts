import type { StoredColumn } from "@/lib/schemas/column";
import type { Change } from "@/lib/schemas/table";
import { database, lookUp } from "./database";
import { readableBy } from "./readable";

/** One version of a table with what a read must know of its dataset. `rows` and `bytes` are below 2^53. */
export interface TableVersion {
  tableId: string;
  tableSlug: string;
  tableName: string;
  datasetId: string;
  datasetSlug: string;
  visibility: "public" | "private" | "withdrawn";
  workspaceId: string | null;
  versionId: string;
  digest: string;
  bytes: number;
  rows: number;
  columns: StoredColumn[];
  /** What the rows are sorted by. */
  orderBy: string[];
  /** Columns that no two rows share; empty where none was declared. */
  primaryKey: string[];
  publishedAt: Date;
  withdrawnAt: Date | null;
  /** Why, in the administrator's words; null where it is not withdrawn. */
  withdrawnReason: string | null;
}

const COLUMNS = `t.id AS "tableId", t.slug AS "tableSlug", t.name AS "tableName", d.id AS "datasetId", d.slug AS \
"datasetSlug",
  d.visibility::text AS visibility, d."workspaceId", v.id AS "versionId", v.digest, v.bytes::float8 AS bytes, \
v.rows::float8 AS rows,
  v.columns, v."orderBy", v."primaryKey", v."publishedAt", v."withdrawnAt",
  v."withdrawnReason"`;

export interface TableReading {
  /** The reader's workspace; absent for the anonymous. */
  workspaceId?: string | undefined;
  /** The current version when absent. */
  versionId?: string | undefined;
}

const FIND = `SELECT ${COLUMNS} FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableBy("$3")}
  JOIN "Version" v ON v."tableId" = t.id AND v.id = COALESCE($2::uuid, t."currentVersionId")
  WHERE t.id = $1::uuid AND (v."withdrawnAt" IS NULL OR v.id = $2::uuid)`;

/**
 * A version of a table that the reader may read; undefined for all else alike. One round trip, and the database itself
 * refuses:
 * what a reader may not see is neither fetched nor parsed, so that its refusal takes no longer than that of an unknown
 * table.
 */
export async function findTableVersion(
  tableId: string,
  { workspaceId, versionId }: TableReading,
): Promise<TableVersion | undefined> {
  const [version] = await lookUp<TableVersion>("find-table-version", FIND, [
    tableId,
    versionId ?? null,
    workspaceId ?? null,
  ]);
  return version;
}

/** A version with its place among those of its table. */
export interface PlacedVersion extends TableVersion {
  tableDescription: string;
  /** Of the table, where it differs from the dataset's. */
  license: string | null;
  /** Columns that tell every row from all others, proven when it was sealed; none where none was declared. */
  primaryKey: string[];
  sequence: number;
  change: Change;
  currentVersionId: string | null;
  /** The one before that is not withdrawn; null for the first. */
  previousVersionId: string | null;
}

/** A version of any table of a dataset, withdrawn or not; undefined when the dataset has none of this id. */
export async function findPlacedVersion(datasetId: string, versionId: string): Promise<PlacedVersion | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<PlacedVersion>(
    `SELECT ${COLUMNS}, t.description AS "tableDescription", t.license, v."primaryKey", v.sequence, v.change::text AS
      change, t."currentVersionId",
       (SELECT b.id FROM "Version" b WHERE b."tableId" = t.id AND b.sequence < v.sequence AND b."withdrawnAt" IS NULL
         ORDER BY b.sequence DESC LIMIT 1) AS "previousVersionId"
     FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ON d.id = t."datasetId" WHERE v.id =
       $2::uuid AND d.id = $1::uuid`,
    [datasetId, versionId],
  );
  return rows[0];
}

export interface VersionEntry {
  versionId: string;
  digest: string;
  publishedAt: Date;
  rows: number;
  bytes: number;
  change: Change;
}

/** The table's versions that are not withdrawn, newest first. */
export async function listVersions(tableId: string): Promise<VersionEntry[]> {
  const { pool } = await database();
  const { rows } = await pool.query<VersionEntry>(
    `SELECT id AS "versionId", digest, "publishedAt", rows::float8 AS rows, bytes::float8 AS bytes, change::text AS
      change
     FROM "Version" WHERE "tableId" = $1::uuid AND "withdrawnAt" IS NULL ORDER BY sequence DESC`,
    [tableId],
  );
  return rows;
}

/** The profiles of a version as the JSON text that was sealed, so that no digit is lost. */
export async function profilesJson(versionId: string): Promise<string> {
  const { pool } = await database();
  const { rows } = await pool.query<{ profiles: string }>(
    `SELECT profiles::text AS profiles FROM "Version" WHERE id = $1::uuid`,
    [versionId],
  );
  return rows[0]?.profiles ?? "{}";
}

/** When the newest version of a table was published; null when there is none. */
export async function newestVersionAt(datasetSlug: string, tableSlug: string): Promise<Date | null> {
  const { pool } = await database();
  const { rows } = await pool.query<{ at: Date | null }>(
    `SELECT max(v."publishedAt") AS at FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ` +
      `ON d.id = t."datasetId" WHERE d.slug = $1 AND t.slug = $2`,
    [datasetSlug, tableSlug],
  );
  return rows[0]?.at ?? null;
}

/** How many datasets there are, public or not. */
export async function countDatasets(): Promise<number> {
  const { prisma } = await database();
  return prisma.dataset.count();
}
