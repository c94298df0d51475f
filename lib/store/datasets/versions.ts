import { randomUUID } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import type { StoredColumn } from "@/lib/schemas/column";
import type { PublishRequest } from "@/lib/schemas/publish";
import type { Change } from "@/lib/schemas/table";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { refreshSearchText } from "@/lib/store/catalogue/search-text";
import { recordReleased } from "@/lib/store/news/news";
import { withLocks } from "@/lib/store/postgres/advisory-lock";
import { database } from "@/lib/store/postgres/database";
import { wakeForRelease } from "@/lib/store/recipes/schedules";
import type { Prisma } from "@/prisma/generated/client";
import { decided } from "./dataset-states";
import { auditDataset, writeDataset } from "./dataset-texts";
import { labelVersion } from "./version-names";
import { lockedState } from "./visibility";

/** The version that a publication compares its file with. */
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
  /** JSON as text, so that no digit of a 64-bit value is lost. */
  profilesJson: string;
  orderBy: readonly string[];
  primaryKey: readonly string[];
  change: Change;
  publishedAt: Date;
}

export interface Recorded {
  tableId: string;
  versionId: string;
  label: string | null;
}

/** How long a publication waits for another one of the same dataset, and how long it may take itself. */
const PUBLISHING_MS = 60_000;

type Request = Pick<PublishRequest, "dataset" | "table" | "label" | "notes">;

/** Runs `work` while no other process publishes the same table or removes blobs. */
export function withTableLock<T>(datasetSlug: string, tableSlug: string, work: () => Promise<T>): Promise<T> {
  const sql = "SELECT pg_advisory_lock_shared(hashtextextended('blobs', 0)), pg_advisory_lock(hashtextextended($1, 0))";
  return withLocks({ sql, values: [`publish ${datasetSlug}/${tableSlug}`] }, work);
}

/** Runs `work` while nobody records a version, so any blob without a version has been abandoned. */
export function withBlobsLock<T>(work: () => Promise<T>): Promise<T> {
  return withLocks({ sql: "SELECT pg_advisory_lock(hashtextextended('blobs', 0))", values: [] }, work);
}

/** The current version of a table by its slugs; undefined if the table is new. */
export async function findCurrentVersion(datasetSlug: string, tableSlug: string): Promise<CurrentVersion | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<CurrentVersion>(
    `SELECT t.id AS "tableId", v.id AS "versionId", v.digest, v.rows::float8 AS rows, v.bytes::float8 AS bytes,
      v.columns, v."primaryKey"
     FROM "Dataset" d JOIN "Table" t ON t."datasetId" = d.id JOIN "Version" v ON v.id = t."currentVersionId" WHERE
       d.slug = $1 AND t.slug = $2`,
    [datasetSlug, tableSlug],
  );
  return rows[0];
}

/** Any sealed version, as `findCurrentVersion` returns the current one; undefined for an unknown id. */
export async function findVersionContent(versionId: string): Promise<CurrentVersion | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<CurrentVersion>(
    `SELECT "tableId", id AS "versionId", digest, rows::float8 AS rows, bytes::float8 AS bytes, columns, "primaryKey"
     FROM "Version" WHERE id = $1::uuid`,
    [versionId],
  );
  return rows[0];
}

/**
 * One transaction: writes publisher, dataset and table as requested, makes a new version current, and adds the audit
 * log entries. `version` is the new one, or the id of the current one if the file has its content: `conflict` if that
 * one was withdrawn in the meantime.
 */
export async function recordPublication(
  request: Request,
  version: NewVersion | string,
  author: Author,
): Promise<Recorded> {
  const timing = { timeoutMs: PUBLISHING_MS };
  return audited(author, (transaction, audit) => record(transaction, audit, request, version, author), timing);
}

async function record(
  transaction: Transaction,
  audit: AuditLog,
  request: Request,
  version: NewVersion | string,
  author: Author,
): Promise<Recorded> {
  const dataset = await writeDataset(transaction, request.dataset);
  if (!dataset.isNew) decided("promote", await lockedState(transaction, dataset.id), { caller: "operator" });
  if ((await transaction.build.count({ where: { datasetId: dataset.id } })) > 0)
    throw fail("conflict", { message: `Dataset ${dataset.slug} is built by runs of its recipe. Start a run instead.` });
  const table = await writeTable(transaction, dataset.id, request.table);
  auditDataset(audit, dataset, { slug: request.table.slug, changed: table.changed });
  if (typeof version === "string" && table.currentVersionId !== version)
    throw fail("conflict", { message: "The current version changed in the meantime. Publish again." });
  const versionId = typeof version === "string" ? version : await insertVersion(transaction, table.id, version);
  const texts = { label: request.label, notes: request.notes };
  const labelled = await labelVersion(transaction, { tableId: table.id, versionId }, texts, { released: true });
  if (typeof version !== "string") {
    await makeCurrent(transaction, dataset.id, table.id, versionId);
    const by = { kind: author.actor, userId: author.userId ?? null };
    await recordPromotion(transaction, { tableId: table.id, versionId, at: version.publishedAt, by }, "promoted");
    await recordReleased(transaction, {
      datasetId: dataset.id,
      at: version.publishedAt,
      reason: "promoted",
      tables: [{ tableId: table.id, versionId, previousVersionId: table.currentVersionId }],
    });
    const { change, rows, digest } = version;
    audit({
      action: "version.published",
      subject: versionId,
      workspaceId: dataset.workspaceId ?? undefined,
      details: {
        dataset: dataset.slug,
        table: request.table.slug,
        ...(labelled.label !== null && { label: labelled.label }),
        change,
        rows,
        content_digest: `sha256:${digest}`,
      },
    });
  }
  if (typeof version === "string" && labelled.changed.length > 0)
    audit({
      action: "version.edited",
      subject: versionId,
      workspaceId: dataset.workspaceId ?? undefined,
      details: { dataset: dataset.slug, table: request.table.slug, changed: labelled.changed, label: request.label },
    });
  await refreshSearchText(transaction, dataset.id);
  return { tableId: table.id, versionId, label: labelled.label };
}

/**
 * Makes a version, or none, the current one of its table, and recalculates the dataset's rows and time of publication.
 */
export async function makeCurrent(
  transaction: Transaction,
  datasetId: string,
  tableId: string,
  versionId: string | null,
): Promise<void> {
  await transaction.table.update({ where: { id: tableId }, data: { currentVersionId: versionId } });
  await transaction.$executeRaw`
    UPDATE "Dataset" SET rows = (
        SELECT coalesce(sum(v.rows), 0) FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId"
        WHERE t."datasetId" = "Dataset".id),
      "publishedAt" = (SELECT max(v."publishedAt") FROM "Table" t JOIN "Version" v ON v."tableId" = t.id
        WHERE t."datasetId" = "Dataset".id AND v."withdrawnAt" IS NULL)
    WHERE id = ${datasetId}::uuid`;
}

interface PromotionEntry {
  tableId: string;
  versionId: string;
  at: Date;
  /** Who promoted the version. */
  by: Prisma.InputJsonObject;
}

/** Records what became current when, and starts the datasets that read the table. */
export async function recordPromotion(
  transaction: Transaction,
  entry: PromotionEntry,
  reason: "promoted" | "rolled_back" | "withdrawn",
): Promise<void> {
  await transaction.promotion.create({ data: { ...entry, reason } });
  await wakeForRelease(transaction, entry.tableId, entry.at);
}

/** Those of the tables whose current version is one that somebody went back to. */
export async function rolledBackTables(
  reader: Pick<Transaction, "promotion">,
  tableIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const last = await reader.promotion.findMany({
    where: {
      tableId: { in: [...tableIds] },
      reason: { not: "withdrawn" },
      version: { currentOf: { isNot: null } },
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    distinct: ["tableId"],
    select: { tableId: true, reason: true },
  });
  return new Set(last.filter(({ reason }) => reason === "rolled_back").map(({ tableId }) => tableId));
}

/** The same outside a transaction. */
export const findRolledBack = async (tableIds: readonly string[]): Promise<ReadonlySet<string>> =>
  rolledBackTables((await database()).prisma, tableIds);

interface WrittenTable {
  id: string;
  currentVersionId: string | null;
  /** The names of the members that changed; empty for a new table. */
  changed: string[];
}

/** Writes the given fields of a table and leaves the rest. The row lock of its dataset is held. */
async function writeTable(
  transaction: Transaction,
  datasetId: string,
  { slug, ...texts }: Request["table"],
): Promise<WrittenTable> {
  const before = await transaction.table.findUnique({ where: { datasetId_slug: { datasetId, slug } } });
  if (!before) {
    const { name = slug, description = "", license = null, position = 0 } = texts;
    const data = { datasetId, slug, name, description, license, position };
    const { id } = await transaction.table.create({ data, select: { id: true } });
    return { id, currentVersionId: null, changed: [] };
  }
  const { id, currentVersionId } = before;
  const changed = (["name", "description", "license", "position"] as const).filter(
    (name) => texts[name] !== undefined && texts[name] !== before[name],
  );
  const data = Object.fromEntries(changed.map((name) => [name, texts[name]]));
  if (changed.length > 0) await transaction.table.update({ where: { id }, data });
  return { id, currentVersionId, changed };
}

async function insertVersion(transaction: Transaction, tableId: string, version: NewVersion): Promise<string> {
  const { digest, bytes, rows, columns, profilesJson, orderBy, primaryKey, change, publishedAt } = version;
  const inserted = await transaction.$queryRaw<{ id: string }[]>`
    INSERT INTO "Version" (id, "tableId", sequence, digest, bytes, rows, columns, profiles, "orderBy", "primaryKey",
      change, "publishedAt")
    SELECT ${randomUUID()}::uuid, ${tableId}::uuid, coalesce(max(sequence), 0) + 1, ${digest}, ${bytes}, ${rows},
      ${JSON.stringify(columns)}::jsonb,
      ${profilesJson}::jsonb, ${[...orderBy]}, ${[...primaryKey]}, ${change}::"Change", ${publishedAt}
    FROM "Version" WHERE "tableId" = ${tableId}::uuid RETURNING id`;
  return idOf(inserted);
}

function idOf(rows: readonly { id: string }[]): string {
  const id = rows[0]?.id;
  if (!id) throw new Error("The statement returned no id");
  return id;
}

/** Every blob that a version, an upload or a run's table refers to, with its recorded size, without duplicates. */
export async function listDigests(): Promise<{ digest: string; bytes: number }[]> {
  const { pool } = await database();
  const { rows } = await pool.query<{ digest: string; bytes: number }>(
    `SELECT digest, bytes::float8 AS bytes FROM "Version"
     UNION SELECT digest, bytes::float8 FROM "Upload"
     UNION SELECT digest, bytes::float8 FROM "RunArtifact" WHERE kind IN ('sample_table', 'candidate_table')
       OR kind = 'rejects' AND columns IS NOT NULL
     ORDER BY digest`,
  );
  return rows;
}

/** Tables that never had a version, as `dataset/table`. */
export async function listEmptyTables(): Promise<string[]> {
  const { pool } = await database();
  const { rows } = await pool.query<{ name: string }>(
    `SELECT d.slug || '/' || t.slug AS name FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" WHERE ` +
      `NOT EXISTS (SELECT FROM "Version" v WHERE v."tableId" = t.id) ORDER BY name`,
  );
  return rows.map((row) => row.name);
}
