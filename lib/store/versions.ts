import { randomUUID } from "node:crypto";
import type { StoredColumn } from "@/lib/schemas/column";
import type { PublishRequest } from "@/lib/schemas/publish";
import type { Change } from "@/lib/schemas/table";
import type { Prisma } from "@/prisma/generated/client";
import { withLocks } from "./advisory-lock";
import { database } from "./database";
import { type DatasetAccess, refuseOtherAccess } from "./dataset-access";
import { refreshSearchText } from "./search-text";

/** What a publishing compares its file with. */
export interface CurrentVersion {
  tableId: string;
  versionId: string;
  digest: string;
  rows: number;
  bytes: number;
  columns: StoredColumn[];
  primaryKey: string[];
}

export interface NewVersion {
  digest: string;
  bytes: number;
  rows: number;
  columns: StoredColumn[];
  /** JSON text, so that no digit of a 64-bit value is lost on the way. */
  profilesJson: string;
  orderBy: readonly string[];
  primaryKey: readonly string[];
  change: Change;
  publishedAt: Date;
}

export interface Recorded {
  tableId: string;
  versionId: string;
}

type Request = Pick<PublishRequest, "dataset" | "table">;

/** Runs `work` while no other process publishes the same table or removes blobs. */
export function withTableLock<T>(datasetSlug: string, tableSlug: string, work: () => Promise<T>): Promise<T> {
  const sql = "SELECT pg_advisory_lock_shared(hashtextextended('blobs', 0)), pg_advisory_lock(hashtextextended($1, 0))";
  return withLocks({ sql, values: [`publish ${datasetSlug}/${tableSlug}`] }, work);
}

/** Runs `work` while nobody records a version, so that a blob without one has been left for good. */
export function withBlobsLock<T>(work: () => Promise<T>): Promise<T> {
  return withLocks({ sql: "SELECT pg_advisory_lock(hashtextextended('blobs', 0))", values: [] }, work);
}

/** The current version of a table by its slugs; undefined when the table is new. */
export async function findCurrentVersion(datasetSlug: string, tableSlug: string): Promise<CurrentVersion | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<CurrentVersion>(
    `SELECT t.id AS "tableId", v.id AS "versionId", v.digest, v.rows::float8 AS rows, v.bytes::float8 AS bytes, v.columns, v."primaryKey"
     FROM "Dataset" d JOIN "Table" t ON t."datasetId" = d.id JOIN "Version" v ON v.id = t."currentVersionId" WHERE d.slug = $1 AND t.slug = $2`,
    [datasetSlug, tableSlug],
  );
  return rows[0];
}

/**
 * One transaction: publisher, dataset and table as the request says, and the version current when there is a new one.
 */
export async function recordPublication(request: Request, version: NewVersion | undefined): Promise<Recorded> {
  const { prisma } = await database();
  return await prisma.$transaction((transaction) => record(transaction, request, version), {
    timeout: 60_000,
    maxWait: 60_000,
  });
}

async function record(
  transaction: Prisma.TransactionClient,
  request: Request,
  version: NewVersion | undefined,
): Promise<Recorded> {
  const datasetId = await upsertDataset(transaction, request.dataset);
  const table = await upsertTable(transaction, datasetId, request.table);
  const versionId = version ? await insertVersion(transaction, table.id, version) : table.currentVersionId;
  if (!versionId) throw new Error("A table without a version was left unchanged");
  if (version) {
    await transaction.table.update({ where: { id: table.id }, data: { currentVersionId: versionId } });
    await transaction.$executeRaw`
      UPDATE "Dataset" SET "publishedAt" = greatest("publishedAt", ${version.publishedAt}),
        rows = (SELECT sum(v.rows) FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId" WHERE t."datasetId" = "Dataset".id)
      WHERE id = ${datasetId}::uuid`;
  }
  await refreshSearchText(transaction, datasetId);
  return { tableId: table.id, versionId };
}

/** The row locks of the upserts make publishers of one dataset wait for each other here, whatever their tables. */
async function upsertDataset(transaction: Prisma.TransactionClient, dataset: Request["dataset"]): Promise<string> {
  const slug = slugOf(dataset.publisher.name);
  const { name, url } = dataset.publisher;
  const publishers = await transaction.$queryRaw<{ id: string }[]>`
    INSERT INTO "Publisher" (id, slug, name, url) VALUES (${randomUUID()}::uuid, ${slug}, ${name}, ${url ?? null})
    ON CONFLICT (slug) DO UPDATE SET name = excluded.name, url = coalesce(excluded.url, "Publisher".url) RETURNING id`;
  const { title, summary, description, topics, license, visibility = "public", workspaceId = null } = dataset;
  const datasets = await transaction.$queryRaw<({ id: string } & DatasetAccess)[]>`
    INSERT INTO "Dataset" (id, slug, title, summary, description, "publisherId", topics, license, sources,
      "temporalCoverage", visibility, "workspaceId")
    VALUES (${randomUUID()}::uuid, ${dataset.slug}, ${title}, ${summary}, ${description}, ${publishers[0]?.id}::uuid, ${topics}, ${license},
      ${JSON.stringify(dataset.sources ?? [])}::jsonb, ${dataset.temporalCoverage ?? null},
      ${visibility}::"Visibility", ${workspaceId}::uuid)
    ON CONFLICT (slug) DO UPDATE SET title = excluded.title, summary = excluded.summary, description = excluded.description, "publisherId" = excluded."publisherId",
      topics = excluded.topics, license = excluded.license, sources = excluded.sources, "temporalCoverage" = excluded."temporalCoverage"
    RETURNING id, visibility::text AS visibility, "workspaceId"`;
  for (const access of datasets) refuseOtherAccess(dataset, access);
  return idOf(datasets);
}

async function upsertTable(
  transaction: Prisma.TransactionClient,
  datasetId: string,
  table: Request["table"],
): Promise<{ id: string; currentVersionId: string | null }> {
  const { slug, name, description = "", license = null, position = 0 } = table;
  const where = { datasetId_slug: { datasetId, slug } };
  const select = { id: true, currentVersionId: true };
  return await transaction.table.upsert({
    where,
    create: { datasetId, slug, name, description, license, position },
    update: { name, description, license, position },
    select,
  });
}

async function insertVersion(
  transaction: Prisma.TransactionClient,
  tableId: string,
  version: NewVersion,
): Promise<string> {
  const { digest, bytes, rows, columns, profilesJson, orderBy, primaryKey, change, publishedAt } = version;
  const inserted = await transaction.$queryRaw<{ id: string }[]>`
    INSERT INTO "Version" (id, "tableId", sequence, digest, bytes, rows, columns, profiles, "orderBy", "primaryKey", change, "publishedAt")
    SELECT ${randomUUID()}::uuid, ${tableId}::uuid, coalesce(max(sequence), 0) + 1, ${digest}, ${bytes}, ${rows}, ${JSON.stringify(columns)}::jsonb,
      ${profilesJson}::jsonb, ${[...orderBy]}, ${[...primaryKey]}, ${change}::"Change", ${publishedAt}
    FROM "Version" WHERE "tableId" = ${tableId}::uuid RETURNING id`;
  return idOf(inserted);
}

function idOf(rows: readonly { id: string }[]): string {
  const id = rows[0]?.id;
  if (!id) throw new Error("The statement returned no id");
  return id;
}

/** Upper case first turns ß into ss. `Bureau of Transportation Statistics` → `bureau-of-transportation-statistics`. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 80)
      .replace(/-+$/, "") || `publisher-${Buffer.from(name).toString("hex").slice(0, 40)}`
  );
}

/** Every blob that a version names, with its recorded size, once each. */
export async function listDigests(): Promise<{ digest: string; bytes: number }[]> {
  const { pool } = await database();
  const { rows } = await pool.query<{ digest: string; bytes: number }>(
    `SELECT DISTINCT digest, bytes::float8 AS bytes FROM "Version" ORDER BY digest`,
  );
  return rows;
}

/** Tables without a current version, as `dataset/table`. */
export async function listEmptyTables(): Promise<string[]> {
  const { pool } = await database();
  const { rows } = await pool.query<{ name: string }>(
    `SELECT d.slug || '/' || t.slug AS name FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" WHERE ` +
      `t."currentVersionId" IS NULL ORDER BY name`,
  );
  return rows.map((row) => row.name);
}
