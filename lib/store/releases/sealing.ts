import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/kernel/errors";
import type { StoredColumn } from "@/lib/schemas/column";
import type { Change } from "@/lib/schemas/table";
import type { AuditLog, Author, Transaction } from "@/lib/store/audit";
import { audited } from "@/lib/store/audit";
import { lockDataset } from "@/lib/store/datasets/lock-dataset";
import { addReleaseLabel } from "@/lib/store/datasets/version-names";
import { database } from "@/lib/store/postgres/database";
import { addArtifacts, type NewArtifact } from "@/lib/store/runs/artifacts";
import { Overtaken, type RunClaim } from "@/lib/store/runs/run-claims";
import { addLateEvent, takeStep } from "@/lib/store/runs/run-transitions";
import type { Continuity, Prisma } from "@/prisma/generated/client";
import { allowedPromotion, type PromotionRequest, promoteIn } from "./promotion";

export interface SealedTable {
  slug: string;
  name: string;
  description: string;
  license: string | null;
  position: number;
  rows: number;
  checks: Prisma.InputJsonArray;
  warnings: number;
  /** JSON text. */
  lineage: string;
  dataThrough: string | null;
  /** How the new version continues the current one. */
  continuity: Continuity;
  /** The new version; null if the content equals the current version. */
  version: {
    digest: string;
    bytes: number;
    columns: readonly StoredColumn[];
    /** JSON text, so that no digit is lost. */
    profilesJson: string;
    orderBy: readonly string[];
    primaryKey: readonly string[];
    change: Change;
  } | null;
}

export interface Sealing {
  run: RunClaim & { datasetId: string; revisionId: string };
  tables: readonly SealedTable[];
  artifacts: readonly NewArtifact[];
  /** The run's result afterwards. */
  result(tables: readonly { slug: string; versionId: string | null }[]): Prisma.InputJsonObject;
  /** The source's name for the release that all tables were built from. */
  label?: string | undefined;
  /** Versions that already have its content. */
  unchanged?: readonly string[];
  /** The run's plan, with its inputs. */
  plan?: Prisma.InputJsonObject;
  /** The event's text for people; the outcome of each table if absent. */
  message?: string;
  /** What becomes current with the sealing; undefined if nothing does. */
  promote?: (tables: readonly SealedRow[]) => PromotionRequest | undefined;
  now: Date;
}

export interface SealedRow extends SealedTable {
  tableId: string;
  /** The new version, or the current one if nothing is new. */
  versionId: string | null;
}

/** The finishing transaction of a full run: all of it or nothing. Throws `Overtaken` if another worker has the run. */
export function sealRun(sealing: Sealing, author: Author): Promise<void> {
  return audited(author, (transaction, audit) => sealIn(transaction, audit, sealing), { timeoutMs: 60_000 });
}

async function sealIn(transaction: Transaction, audit: AuditLog, sealing: Sealing): Promise<void> {
  const { run, now } = sealing;
  await lockDataset(transaction, run.datasetId);
  await transaction.$queryRaw`SELECT id FROM "Run" WHERE id = ${run.id}::uuid FOR NO KEY UPDATE`;
  const rows: SealedRow[] = [];
  for (const table of sealing.tables) rows.push(await sealTable(transaction, table, sealing));
  const isReleased = rows.some(({ version }) => version !== null);
  const result = sealing.result(rows.map(({ slug, versionId }) => ({ slug, versionId })));
  const message = rows.map(
    ({ slug, rows: count, version }) => `${slug}: ${version ? version.change : "unchanged"}, ${count} rows`,
  );
  const outcome = isReleased ? ("released" as const) : ("unchanged" as const);
  const set = { outcome, sample: result, progress: {}, ...(sealing.plan && { plan: sealing.plan }) };
  const step = { runId: run.id, fence: run.fence, now, message: sealing.message ?? message.join("; "), set };
  if (!(await takeStep(transaction, "seal", step))) throw new Overtaken();
  await addArtifacts(transaction, run.id, sealing.artifacts, now);
  const versionIds = [...rows.flatMap(({ versionId }) => versionId ?? []), ...(sealing.unchanged ?? [])];
  if (sealing.label !== undefined)
    for (const versionId of versionIds) await addReleaseLabel(transaction, audit, versionId, sealing.label);
  const promotion = sealing.promote?.(rows);
  if (promotion) await promoteSealed(transaction, audit, promotion, run.id);
}

/** Makes what was sealed current; where that is not allowed, the run's events say why, and the result stays sealed. */
async function promoteSealed(
  transaction: Transaction,
  audit: AuditLog,
  promotion: PromotionRequest,
  runId: string,
): Promise<void> {
  try {
    await allowedPromotion(transaction, promotion);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = `Sealed, but not made current: ${error.message}`;
    await addLateEvent(transaction, { runId, now: promotion.now, kind: "warning", message });
    return;
  }
  await promoteIn(transaction, audit, promotion);
}

async function sealTable(transaction: Transaction, table: SealedTable, { run, now }: Sealing): Promise<SealedRow> {
  const { slug, name, description, license, position, version } = table;
  const where = { datasetId_slug: { datasetId: run.datasetId, slug } };
  const stored = await transaction.table.upsert({
    where,
    create: { datasetId: run.datasetId, slug, name, description, license, position },
    update: {},
  });
  if (!version) return { ...table, tableId: stored.id, versionId: stored.currentVersionId };
  const versionId = await insertSealed(transaction, stored.id, table, version);
  const { checks, warnings, lineage, dataThrough, continuity } = table;
  await transaction.release.create({
    data: {
      tableId: stored.id,
      versionId,
      runId: run.id,
      revisionId: run.revisionId,
      sealedAt: now,
      dataThrough: dataThrough === null ? null : new Date(`${dataThrough}T00:00:00Z`),
      continuity,
      checks,
      warnings,
      lineage,
    },
  });
  return { ...table, tableId: stored.id, versionId };
}

async function insertSealed(
  transaction: Transaction,
  tableId: string,
  { rows }: SealedTable,
  { digest, bytes, columns, profilesJson, orderBy, primaryKey, change }: NonNullable<SealedTable["version"]>,
): Promise<string> {
  const id = randomUUID();
  await transaction.$executeRaw`
    INSERT INTO "Version" (id, "tableId", sequence, digest, bytes, rows, columns, profiles, "orderBy", "primaryKey",
      change, "publishedAt")
    SELECT ${id}::uuid, ${tableId}::uuid, coalesce(max(sequence), 0) + 1, ${digest}, ${bytes}, ${rows},
      ${JSON.stringify(columns)}::jsonb, ${profilesJson}::jsonb, ${[...orderBy]}, ${[...primaryKey]},
      ${change}::"Change", NULL
    FROM "Version" WHERE "tableId" = ${tableId}::uuid`;
  return id;
}

/** A sealed version of a built dataset's table, as needed for promotion and for members. */
export interface SealedVersionRow {
  tableId: string;
  slug: string;
  versionId: string;
  currentVersionId: string | null;
  digest: string;
  runId: string;
  revisionId: string;
  sealedAt: Date;
  publishedAt: Date | null;
  withdrawnAt: Date | null;
}

const SEALED = `SELECT t.id AS "tableId", t.slug, v.id AS "versionId", t."currentVersionId", v.digest, r."runId",
  r."revisionId", r."sealedAt", v."publishedAt", v."withdrawnAt"
  FROM "Release" r JOIN "Version" v ON v.id = r."versionId" JOIN "Table" t ON t.id = r."tableId"`;

/** The versions that a run sealed, in the order of the recipe's tables. */
export async function sealedByRun(runId: string): Promise<SealedVersionRow[]> {
  const { pool } = await database();
  const sql = `${SEALED} WHERE r."runId" = $1::uuid ORDER BY t.position, t.slug`;
  return (await pool.query<SealedVersionRow>(sql, [runId])).rows;
}

/** A sealed version of a dataset by its id; undefined if the dataset has none. */
export async function findSealed(datasetId: string, versionId: string): Promise<SealedVersionRow | undefined> {
  const { pool } = await database();
  const sql = `${SEALED} WHERE v.id = $1::uuid AND t."datasetId" = $2::uuid`;
  return (await pool.query<SealedVersionRow>(sql, [versionId, datasetId])).rows[0];
}

/** The content of a table's newest version that is not withdrawn; undefined if there is none. */
export async function lastSealedDigest(datasetId: string, slug: string): Promise<string | undefined> {
  const { prisma } = await database();
  const where = { table: { datasetId, slug }, withdrawnAt: null };
  const last = await prisma.version.findFirst({ where, orderBy: { sequence: "desc" }, select: { digest: true } });
  return last?.digest;
}
