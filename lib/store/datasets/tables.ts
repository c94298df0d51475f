import { processWide } from "@/lib/kernel/process-wide";
import type { StoredColumn } from "@/lib/schemas/column";
import type { Change } from "@/lib/schemas/table";
import { CachedFacts, cachedStatement } from "@/lib/store/caches/cached-facts";
import { database } from "@/lib/store/postgres/database";
import { isReadableBy, isWithinScope, type Reader, readableBy } from "./readable";

/** One version of a table with what a read needs to know about its dataset. `rows` and `bytes` are below 2^53. */
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
  /** The columns that rows are sorted by. */
  orderBy: string[];
  /** Columns that no two rows share; empty if none was declared. */
  primaryKey: string[];
  /** 1, 2, 3 … within the table. */
  sequence: number;
  /** The label used upstream. */
  label: string | null;
  publishedAt: Date;
  withdrawnAt: Date | null;
  /** The administrator's reason; null if it is not withdrawn. */
  withdrawnReason: string | null;
}

const COLUMNS = `t.id AS "tableId", t.slug AS "tableSlug", t.name AS "tableName", d.id AS "datasetId", d.slug AS \
"datasetSlug",
  d.visibility::text AS visibility, d."workspaceId", v.id AS "versionId", v.digest, v.bytes::float8 AS bytes, \
v.rows::float8 AS rows,
  v.columns, v."orderBy", v."primaryKey", v.sequence, v.label, v."publishedAt", v."withdrawnAt",
  v."withdrawnReason"`;

export interface TableReading {
  /** Absent for anonymous readers. */
  reader?: Reader | undefined;
  /** The current version if absent. */
  versionId?: string | undefined;
  /** If given, the version may come from memory if it was read under this generation. */
  under?: string | undefined;
}

const FIND = cachedStatement(
  "find-table-version",
  `${COLUMNS} FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableBy("$3")}
  JOIN "Version" v ON v."tableId" = t.id AND v.id = COALESCE($2::uuid, t."currentVersionId")
  WHERE t.id = $1::uuid AND v."publishedAt" IS NOT NULL AND (v."withdrawnAt" IS NULL OR v.id = $2::uuid)`,
);

const CACHED_COLUMNS_MAX = 100_000;
const cachedTables = () =>
  processWide(
    "cached-tables",
    () => new CachedFacts<TableVersion>(FIND, CACHED_COLUMNS_MAX, ({ columns }) => columns.length + 1),
  );

/**
 * A version of a table that the reader may read; undefined for everything else alike. Fails with insufficient_scope for
 * a public one outside the scope of the reader's key. One round trip, in which the
 * database itself filters: what a reader may not see is neither fetched nor parsed, so rejecting it takes no longer
 * than an unknown table. No round trip for what is in memory. Callers share the result.
 */
export async function findTableVersion(
  tableId: string,
  { reader, versionId, under }: TableReading,
): Promise<TableVersion | undefined> {
  const name = `${tableId.toLowerCase()} ${versionId?.toLowerCase() ?? ""}`;
  const known = cachedTables().find(name, under);
  const version =
    known && isReadableBy(known, reader) ? known : await readVersion(name, { tableId, versionId, reader });
  return version && isWithinScope(version, reader) ? version : undefined;
}

async function readVersion(
  name: string,
  { tableId, versionId, reader }: TableReading & { tableId: string },
): Promise<TableVersion | undefined> {
  const values = [tableId, versionId ?? null, reader?.workspaceId ?? null];
  const version = await cachedTables().read(name, values);
  for (const column of version?.columns ?? []) Object.freeze(column); // callers share them
  return version;
}

/** A version with its number among the table's versions. */
export interface PublishedVersion extends TableVersion {
  tableDescription: string;
  /** The table's own licence, if it differs from the dataset's. */
  license: string | null;
  /** Later labels under which upstream released the same content. */
  otherLabels: string[];
  /** Markdown. */
  notes: string | null;
  change: Change;
  currentVersionId: string | null;
  /** The previous version that is not withdrawn; null for the first. */
  previousVersionId: string | null;
}

/** A published version of any table of a dataset, withdrawn or not; undefined if the dataset has none with this id. */
export async function findPublishedVersion(
  datasetId: string,
  versionId: string,
): Promise<PublishedVersion | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<PublishedVersion>(
    `SELECT ${COLUMNS}, t.description AS "tableDescription", t.license, v."otherLabels", v.notes, v.change::text
       AS change, t."currentVersionId",
       (SELECT b.id FROM "Version" b WHERE b."tableId" = t.id AND b.sequence < v.sequence AND b."withdrawnAt" IS NULL
           AND b."publishedAt" IS NOT NULL
         ORDER BY b.sequence DESC LIMIT 1) AS "previousVersionId"
     FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ON d.id = t."datasetId" WHERE v.id =
       $2::uuid AND d.id = $1::uuid AND v."publishedAt" IS NOT NULL`,
    [datasetId, versionId],
  );
  return rows[0];
}

export interface VersionEntry {
  versionId: string;
  sequence: number;
  label: string | null;
  otherLabels: string[];
  digest: string;
  publishedAt: Date;
  rows: number;
  bytes: number;
  change: Change;
  /** Markdown. */
  notes: string | null;
}

/** The table's published versions that are not withdrawn, newest first. */
export async function listVersions(tableId: string): Promise<VersionEntry[]> {
  const { pool } = await database();
  const { rows } = await pool.query<VersionEntry>(
    `SELECT id AS "versionId", sequence, label, "otherLabels", digest, "publishedAt", rows::float8 AS rows,
       bytes::float8 AS bytes, change::text AS change, notes
     FROM "Version" WHERE "tableId" = $1::uuid AND "withdrawnAt" IS NULL AND "publishedAt" IS NOT NULL
     ORDER BY sequence DESC`,
    [tableId],
  );
  return rows;
}

/** The profiles of a version as the JSON that was sealed, so no digit is lost. */
export async function profilesJson(versionId: string): Promise<string> {
  const { pool } = await database();
  const { rows } = await pool.query<{ profiles: string }>(
    `SELECT profiles::text AS profiles FROM "Version" WHERE id = $1::uuid`,
    [versionId],
  );
  return rows[0]?.profiles ?? "{}";
}

/** The number of distinct values of each column of a version, by its name. */
export async function distinctCountsOf(versionId: string): Promise<Record<string, number>> {
  const { pool } = await database();
  const { rows } = await pool.query<{ name: string; count: string }>(
    `SELECT key AS name, value->'distinct_count'->>'value' AS count FROM "Version", jsonb_each(profiles) WHERE id = ` +
      "$1::uuid AND value->'distinct_count'->>'value' IS NOT NULL",
    [versionId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

/** When the newest version of a table was published; null if there is none. */
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
