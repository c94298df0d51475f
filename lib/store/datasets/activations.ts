import { fail } from "@/lib/kernel/errors";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { lockDataset } from "@/lib/store/datasets/lock-dataset";
import type { Reader } from "@/lib/store/datasets/readable";
import { lookUp } from "@/lib/store/postgres/database";
import { addLateEvent } from "@/lib/store/runs/run-transitions";
import type { Prisma } from "@/prisma/generated/client";
import { decided, type EventBy } from "./dataset-states";
import { lockedState, requireCurrent } from "./visibility";

export interface ActivationRequest {
  dataset: { id: string; slug: string; workspaceId: string };
  /** Slugs; all sealed tables when absent. */
  tables?: readonly string[] | undefined;
  /** The run whose tables are activated; it gets an event. */
  runId?: string | undefined;
  by: Prisma.InputJsonObject;
  cause: EventBy;
  /** If given, fails with `conflict` unless exactly these are the dataset's current versions. */
  expectedCurrent?: readonly string[] | undefined;
  now: Date;
}

/** A table that the hosted routes serve. */
export interface ActivatedTable {
  table: string;
  datasetId: string;
  tableId: string;
  hostedId: string;
  activatedAt: Date;
  /** Size of the current release; null before the first one. */
  bytes: number | null;
}

interface Row extends Omit<ActivatedTable, "hostedId" | "activatedAt"> {
  hostedId: string | null;
  activatedAt: Date | null;
  deactivatedAt: Date | null;
}

/**
 * Gives a dataset's sealed tables their hosted ids, all or none. A table that was activated before keeps its id
 * permanently; one that is already active is left unchanged. Fails with no_passing_release or not_found.
 */
export const activateTables = (request: ActivationRequest, author: Author): Promise<ActivatedTable[]> =>
  audited(author, (transaction, audit) => activateIn(transaction, audit, request));

/** The same as part of a larger transaction. */
export async function activateIn(
  transaction: Transaction,
  audit: AuditLog,
  request: ActivationRequest,
): Promise<ActivatedTable[]> {
  decided("activate", await lockedState(transaction, request.dataset.id), request.cause);
  await requireCurrent(transaction, request.dataset.id, request.expectedCurrent);
  return openTables(transaction, audit, request);
}

async function openTables(
  transaction: Transaction,
  audit: AuditLog,
  request: Omit<ActivationRequest, "cause">,
): Promise<ActivatedTable[]> {
  const { dataset, now, by, runId } = request;
  const rows = await lockedRows(transaction, request);
  const activated: ActivatedTable[] = [];
  let changed = 0;
  for (const { deactivatedAt, hostedId, activatedAt, ...row } of rows) {
    if (hostedId !== null && activatedAt !== null && deactivatedAt === null) {
      activated.push({ ...row, hostedId, activatedAt });
      continue;
    }
    const data = { activatedAt: now, activatedBy: by, deactivatedAt: null };
    const { id } = await transaction.activation.upsert({
      where: { tableId: row.tableId },
      create: { tableId: row.tableId, datasetId: dataset.id, ...data },
      update: data,
      select: { id: true },
    });
    activated.push({ ...row, hostedId: id, activatedAt: now });
    auditTable(audit, "table.activated", dataset, row.table);
    changed += 1;
  }
  if (changed > 0 && runId !== undefined)
    await addLateEvent(transaction, { runId, now, kind: "activated", message: "on the hosted table API" });
  return activated;
}

/** Removes tables from the hosted routes; they keep their ids. Returns those that were active. Fails with not_found. */
export function deactivateTables(request: ActivationRequest, author: Author): Promise<string[]> {
  const { dataset, now } = request;
  return audited(author, async (transaction, audit) => {
    decided("deactivate", await lockedState(transaction, dataset.id), request.cause);
    const rows = (await lockedRows(transaction, request)).filter(
      ({ hostedId, deactivatedAt }) => hostedId !== null && deactivatedAt === null,
    );
    const tableIds = rows.map(({ tableId }) => tableId);
    await transaction.activation.updateMany({ where: { tableId: { in: tableIds } }, data: { deactivatedAt: now } });
    for (const { table } of rows) auditTable(audit, "table.deactivated", dataset, table);
    return rows.map(({ table }) => table);
  });
}

function auditTable(
  audit: AuditLog,
  action: "table.activated" | "table.deactivated",
  { slug, workspaceId }: ActivationRequest["dataset"],
  table: string,
): void {
  audit({ action, subject: slug, workspaceId, details: { dataset: slug, table } });
}

/** The sealed tables that a request names. Concurrent changes of the dataset's activations wait here. */
async function lockedRows(
  transaction: Transaction,
  { dataset, tables }: Omit<ActivationRequest, "cause">,
): Promise<Row[]> {
  await lockDataset(transaction, dataset.id);
  const rows = await transaction.$queryRaw<Row[]>`
    SELECT t.slug AS table, t."datasetId", t.id AS "tableId", a.id AS "hostedId", a."activatedAt", a."deactivatedAt",
      v.bytes::float8 AS bytes
    FROM "Table" t LEFT JOIN "Activation" a ON a."tableId" = t.id LEFT JOIN "Version" v ON v.id = t."currentVersionId"
    WHERE t."datasetId" = ${dataset.id}::uuid AND EXISTS (SELECT 1 FROM "Release" r WHERE r."tableId" = t.id)
    ORDER BY t.position, t.slug`;
  const unknown = tables?.find((slug) => !rows.some(({ table }) => table === slug));
  if (unknown !== undefined)
    throw fail("not_found", { message: `No run of the dataset has sealed a table ${unknown} yet.` });
  if (rows.length === 0)
    throw fail("no_passing_release", {
      message: "No run of this dataset has been sealed yet. Start one with start_run.",
    });
  return tables ? rows.filter(({ table }) => tables.includes(table)) : rows;
}

/** Gives a hosted id to tables that never had one, at their first promotion, if the dataset is active. */
export async function activateNewTables(
  transaction: Transaction,
  audit: AuditLog,
  request: Omit<ActivationRequest, "cause"> & { tables: readonly string[] },
): Promise<void> {
  const { dataset, tables } = request;
  const known = await transaction.activation.findMany({
    where: { datasetId: dataset.id },
    select: { deactivatedAt: true, table: { select: { slug: true } } },
  });
  if (!known.some(({ deactivatedAt }) => deactivatedAt === null)) return;
  const fresh = tables.filter((slug) => !known.some(({ table }) => table.slug === slug));
  if (fresh.length > 0) await openTables(transaction, audit, { ...request, tables: fresh });
}

/** A table as the hosted routes see it. */
export interface HostedTable {
  hostedId: string;
  tableId: string;
  tableSlug: string;
  datasetId: string;
  datasetSlug: string;
  /** The current release; null if no release has passed yet. */
  release: HostedRelease | null;
}

export interface HostedRelease {
  versionId: string;
  digest: string;
  bytes: number;
  /** Whether everything recorded about the release agrees. */
  isConsistent: boolean;
}

/** `consistent`: a version of this table, sealed by a run and promoted, that is not withdrawn. */
const FIND = `SELECT a.id AS "hostedId", t.id AS "tableId", t.slug AS "tableSlug", d.id AS "datasetId",
    d.slug AS "datasetSlug", t."currentVersionId" AS "versionId", v.digest, v.bytes::float8 AS bytes,
    coalesce(v."tableId" = t.id AND v."publishedAt" IS NOT NULL AND v."withdrawnAt" IS NULL AND v.bytes > 0
      AND v.digest ~ '^[0-9a-f]{64}$' AND r."tableId" = t.id
      AND EXISTS (SELECT 1 FROM "Promotion" p WHERE p."versionId" = v.id AND p."tableId" = t.id), false) AS consistent
  FROM "Activation" a JOIN "Table" t ON t.id = a."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
    LEFT JOIN "Version" v ON v.id = t."currentVersionId" LEFT JOIN "Release" r ON r."versionId" = v.id
  WHERE a.id = $1::uuid AND a."deactivatedAt" IS NULL AND d.visibility <> 'withdrawn'
    AND d."workspaceId" = $2::uuid AND ($3::uuid[] IS NULL OR d.id = ANY($3::uuid[]))`;

interface Found extends Omit<HostedTable, "release"> {
  versionId: string | null;
  digest: string;
  bytes: number;
  consistent: boolean;
}

/**
 * The table that the reader's workspace activated under this id, with its current release; undefined for unknown,
 * foreign, deactivated and withdrawn ones and those outside the scope of the reader's key alike. One round trip,
 * so a release published at the same time cannot mix the result.
 */
export async function findHosted(hostedId: string, reader: Reader): Promise<HostedTable | undefined> {
  const [found] = await lookUp<Found>("find-hosted", FIND, [
    ...[hostedId, reader.workspaceId, reader.datasetIds ?? null],
  ]);
  if (!found) return undefined;
  const { versionId, digest, bytes, consistent, ...table } = found;
  return { ...table, release: versionId === null ? null : { versionId, digest, bytes, isConsistent: consistent } };
}

/** A table that a workspace's live keys can read. */
export interface OpenedTable {
  dataset: string;
  table: string;
  hostedId: string;
}

/** The tables that live keys of the reader's workspace, or the reader's own, can read, by dataset. */
export const openedTables = (reader: Reader): Promise<OpenedTable[]> =>
  lookUp(
    "opened-tables",
    `SELECT d.slug AS dataset, t.slug AS table, a.id AS "hostedId"
      FROM "Activation" a JOIN "Table" t ON t.id = a."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
      WHERE a."deactivatedAt" IS NULL AND d.visibility <> 'withdrawn' AND d."workspaceId" = $1::uuid
        AND ($2::uuid[] IS NULL OR d.id = ANY($2::uuid[]))
      ORDER BY d.slug, t.position, t.slug`,
    [reader.workspaceId, reader.datasetIds ?? null],
  );
