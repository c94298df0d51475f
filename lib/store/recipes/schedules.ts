import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { addLateEvent } from "@/lib/store/runs/run-transitions";
import { Prisma, type RunTrigger, type Schedule } from "@/prisma/generated/client";

export type StoredSchedule = Schedule;

/** The reason why the service paused a schedule. */
export type PauseReason = "plan_ended" | "approval_expired" | "failing";

/** Pauses that end when another recipe is approved. */
const ENDED_BY_APPROVAL: readonly PauseReason[] = ["approval_expired", "failing"];

/** An approved recipe from which the stored schedule was not made. */
export interface UnplannedRecipe {
  datasetId: string;
  revisionId: string;
  /** Canonical JSON text. */
  document: string;
  /** When the dataset's first recipe was approved. */
  firstApprovedAt: Date;
}

const UNPLANNED = `SELECT b."datasetId", v.id AS "revisionId", v.document,
    (SELECT min("approvedAt") FROM "RecipeRevision" f WHERE f."datasetId" = b."datasetId") AS "firstApprovedAt"
  FROM "Build" b JOIN LATERAL (
    SELECT n.id, n.document FROM "RecipeRevision" n WHERE n."datasetId" = b."datasetId" AND n.state = 'approved'
      AND n."approvedAt" IS NOT NULL ORDER BY n.number DESC LIMIT 1) v ON true
  LEFT JOIN "Schedule" s ON s."datasetId" = b."datasetId"
  WHERE s."revisionId" IS DISTINCT FROM v.id LIMIT 200`;

/** Datasets whose schedule was not made from their approved recipe. */
export async function unplannedRecipes(): Promise<UnplannedRecipe[]> {
  const { pool } = await database();
  return (await pool.query<UnplannedRecipe>(UNPLANNED)).rows;
}

export interface PlannedSchedule {
  datasetId: string;
  revisionId: string;
  spec: Prisma.InputJsonObject | undefined;
  upstreams: readonly string[];
  uploads: readonly string[];
  nextAt: Date | null;
  /** Runs that ended by this time have no effect on it. */
  now: Date;
}

/**
 * Stores the schedule of an approved recipe. Does nothing if the dataset was deleted. A pause by a person remains; one
 * that the approval resolves ends.
 */
export async function storeSchedule({ datasetId, revisionId, now, ...planned }: PlannedSchedule): Promise<void> {
  const { nextAt } = planned;
  const lists = { upstreams: [...planned.upstreams], uploads: [...planned.uploads] };
  const resumed = { pausedAt: null, pausedReason: null, failuresInRow: 0, slowedAt: null };
  const spec = planned.spec ?? Prisma.DbNull;
  const data = { revisionId, ...lists, spec, nextAt, heldReason: null };
  const { prisma } = await database();
  await prisma.$transaction(async (transaction) => {
    if (!(await lockAgainstDeletion(transaction, datasetId))) return;
    const before = await transaction.schedule.findUnique({ where: { datasetId } });
    const isAnswered = ENDED_BY_APPROVAL.some((reason) => reason === before?.pausedReason);
    await transaction.schedule.upsert({
      where: { datasetId },
      create: { datasetId, ...data, accountedAt: now },
      update: { ...data, ...(nextAt === null && { wakeAt: null, wakeBy: null }), ...(isAnswered && resumed) },
    });
  });
}

/** Whether the dataset exists. It cannot be deleted before the transaction ends. */
async function lockAgainstDeletion(transaction: Transaction, datasetId: string): Promise<boolean> {
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM "Dataset" WHERE id = ${datasetId}::uuid FOR KEY SHARE`;
  return locked.length > 0;
}

/** A schedule that is due, with what its run needs. */
export interface DueSchedule {
  datasetId: string;
  workspaceId: string;
  slug: string;
  revisionId: string;
  revision: number;
  document: string;
  recipeDigest: string;
  approvedAt: Date;
  trigger: RunTrigger;
}

const DUE = `SELECT s."datasetId", b."workspaceId", d.slug, s."revisionId", v.number AS revision, v.document,
    v."recipeDigest", v."approvedAt",
    CASE WHEN s."wakeAt" <= $1 THEN coalesce(s."wakeBy", 'schedule') ELSE 'schedule' END AS trigger
  FROM "Schedule" s JOIN "Dataset" d ON d.id = s."datasetId" JOIN "Build" b ON b."datasetId" = d.id
  JOIN "RecipeRevision" v ON v.id = s."revisionId" AND v.state = 'approved' AND v."recipeDigest" IS NOT NULL
  WHERE s."pausedAt" IS NULL AND least(s."nextAt", s."wakeAt") <= $1 AND d.visibility <> 'withdrawn'
    AND NOT EXISTS (SELECT 1 FROM "Run" r WHERE r."datasetId" = d.id
      AND r.state IN ('queued', 'running', 'queued_full', 'running_full'))
  ORDER BY least(s."nextAt", s."wakeAt") LIMIT 50`;

/** Schedules that are due and whose dataset has no run in progress, longest due first. */
export async function dueSchedules(now: Date): Promise<DueSchedule[]> {
  const { pool } = await database();
  return (await pool.query<DueSchedule>(DUE, [now])).rows;
}

/** Claims a due time as part of the transaction that queues its run; false if another worker claimed it. */
export async function takeTick(
  transaction: Transaction,
  { datasetId, nextAt, now }: { datasetId: string; nextAt: Date | null; now: Date },
): Promise<boolean> {
  const taken = await transaction.$executeRaw`
    UPDATE "Schedule" SET "lastTickAt" = ${now}, "nextAt" = ${nextAt}, "wakeAt" = NULL, "wakeBy" = NULL,
      "heldReason" = NULL
    WHERE "datasetId" = ${datasetId}::uuid AND "pausedAt" IS NULL AND least("nextAt", "wakeAt") <= ${now}`;
  return taken > 0;
}

/** Starts no run at a due time, and records why. */
export async function postponeSchedule(datasetId: string, reason: string, nextAt: Date): Promise<void> {
  const { prisma } = await database();
  const data = { nextAt, wakeAt: null, wakeBy: null, heldReason: reason };
  await prisma.schedule.updateMany({ where: { datasetId }, data });
}

/** A dataset, also as the audit log names it. */
export interface ScheduledDataset {
  datasetId: string;
  slug: string;
  workspaceId: string;
}

/** Pauses a schedule; false if it is already paused, or if there is none. */
export function pauseSchedule(
  dataset: ScheduledDataset,
  { by, reason, now }: { by: Prisma.InputJsonObject; reason?: PauseReason; now: Date },
  author: Author,
): Promise<boolean> {
  return audited(author, (transaction, audit) => pauseIn(transaction, audit, dataset, { by, reason, now }));
}

/** The same as part of a larger transaction. */
export async function pauseIn(
  transaction: Transaction,
  audit: AuditLog,
  { datasetId, slug, workspaceId }: ScheduledDataset,
  { by, reason, now }: { by: Prisma.InputJsonObject; reason?: PauseReason | undefined; now: Date },
): Promise<boolean> {
  const where = { datasetId, pausedAt: null, nextAt: { not: null } };
  const data = { pausedAt: now, pausedBy: by, pausedReason: reason ?? null };
  const { count } = await transaction.schedule.updateMany({ where, data });
  const details = reason === undefined ? {} : { reason };
  if (count > 0) audit({ action: "schedule.paused", subject: slug, workspaceId, details });
  return count > 0;
}

/**
 * Ends a pause. The next planned reading is counted from now, and the count of failures restarts. False if not paused.
 */
export function resumeSchedule(
  { datasetId, slug, workspaceId }: ScheduledDataset,
  nextAt: Date | null,
  author: Author,
): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const none = { pausedAt: null, pausedReason: null, wakeAt: null, wakeBy: null, heldReason: null };
    const data = { ...none, nextAt, failuresInRow: 0, slowedAt: null };
    const { count } = await transaction.schedule.updateMany({ where: { datasetId, pausedAt: { not: null } }, data });
    if (count > 0) audit({ action: "schedule.resumed", subject: slug, workspaceId });
    return count > 0;
  });
}

/** Schedules that were paused because their workspace's plan ended. */
export async function pausedByPlan(): Promise<ScheduledDataset[]> {
  const { pool } = await database();
  const sql = `SELECT s."datasetId", d.slug, b."workspaceId" FROM "Schedule" s JOIN "Dataset" d ON d.id = s."datasetId"
    JOIN "Build" b ON b."datasetId" = d.id WHERE s."pausedReason" = 'plan_ended'`;
  return (await pool.query<ScheduledDataset>(sql)).rows;
}

/** Starts runs of datasets that read an upload, if their recipe requests it. Part of the upload's transaction. */
export async function wakeForUpload(
  transaction: Transaction,
  { workspaceId, name, at }: { workspaceId: string; name: string; at: Date },
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE "Schedule" s SET "wakeAt" = least(s."wakeAt", ${at}), "wakeBy" = 'upload'
    FROM "Build" b WHERE b."datasetId" = s."datasetId" AND b."workspaceId" = ${workspaceId}::uuid
      AND ${name} = ANY(s.uploads)`;
}

/** Related tables are often sealed together, so their readers wait until no other has followed for this long. */
const UPSTREAM_MS = 120_000;

/** Starts runs of datasets that read a table, if their recipe requests it, two minutes after its last release. */
export async function wakeForRelease(transaction: Transaction, tableId: string, at: Date): Promise<void> {
  const settled = new Date(at.getTime() + UPSTREAM_MS);
  await transaction.$executeRaw`
    UPDATE "Schedule" s SET "wakeAt" = ${settled}, "wakeBy" = 'upstream'
    FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId"
    WHERE t.id = ${tableId}::uuid AND d.id <> s."datasetId"
      AND s.upstreams && ARRAY[t.id::text, d.slug || '/' || t.slug]`;
}

/** A run that ended and has not been taken into account by its dataset's schedule. */
export interface EndedRun {
  runId: string;
  datasetId: string;
  workspaceId: string;
  slug: string;
  finishedAt: Date;
  isFailed: boolean;
  failureCode: string | null;
  /** Memory limit of its query engine, if it was more than usual. */
  memoryMb: number | null;
  /** Status of the source's reply, if that is why the run failed. */
  status: number | null;
  failuresInRow: number;
  slowedAt: Date | null;
}

/** Failed builds are the builders' concern. Sealed ones count as readings like any other. */
const ENDED = `SELECT r.id AS "runId", r."datasetId", r."workspaceId", d.slug, r."finishedAt",
    r.state = 'failed' AS "isFailed", (r.plan->>'memoryMb')::int AS "memoryMb",
    r."failureCode", s."failuresInRow", s."slowedAt",
    (SELECT (e.data->>'status')::int FROM "RunEvent" e WHERE e."runId" = r.id AND e.kind = 'failed'
      ORDER BY e.seq DESC LIMIT 1) AS status
  FROM "Schedule" s JOIN "Run" r ON r."datasetId" = s."datasetId" JOIN "Dataset" d ON d.id = s."datasetId"
  WHERE r."finishedAt" > coalesce(s."accountedAt", '-infinity')
    AND (r.state = 'sealed' OR (r.state = 'failed' AND r.kind = 'refresh')) AND r.kind <> 'replay'
  ORDER BY r."finishedAt" LIMIT 200`;

/** Runs that ended since their datasets' schedules were last evaluated, oldest first. */
export async function endedRuns(): Promise<EndedRun[]> {
  const { pool } = await database();
  return (await pool.query<EndedRun>(ENDED)).rows;
}

/** Whether the run of a dataset that ended last ran out of memory, and its limit (null: the usual one). */
export async function lackedMemory(datasetId: string): Promise<{ memoryMb: number | null } | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<{ isLacking: boolean; memoryMb: number | null }>(LAST, [datasetId]);
  return rows[0]?.isLacking ? { memoryMb: rows[0].memoryMb } : undefined;
}

const LAST = `SELECT "failureCode" IS NOT DISTINCT FROM 'memory_exceeded' AS "isLacking",
    (plan->>'memoryMb')::int AS "memoryMb"
  FROM "Run" WHERE "datasetId" = $1::uuid AND state IN ('sealed', 'failed') AND kind = 'refresh'
  ORDER BY "finishedAt" DESC LIMIT 1`;

export interface Consequences {
  failuresInRow: number;
  slowedAt: Date | null;
  /** Before the next planned reading. */
  retryAt: Date | null;
  pauses: boolean;
  nextAt: Date | null;
  by: Prisma.InputJsonObject;
  now: Date;
}

/** Takes a run into account exactly once, however many workers process it. */
export async function accountRun(
  transaction: Transaction,
  audit: AuditLog,
  run: EndedRun,
  { failuresInRow, slowedAt, retryAt, pauses, nextAt, by, now }: Consequences,
): Promise<void> {
  const { datasetId, finishedAt } = run;
  const [before] = await transaction.schedule.updateManyAndReturn({
    where: { datasetId, OR: [{ accountedAt: null }, { accountedAt: { lt: finishedAt } }] },
    data: { accountedAt: finishedAt, failuresInRow, slowedAt },
  });
  if (!before) return;
  // if a time came due while the run was in progress, its reading is still outstanding
  const isDue = !run.isFailed && before.nextAt !== null && before.nextAt <= now;
  if (!isDue && before.nextAt !== null) await transaction.schedule.update({ where: { datasetId }, data: { nextAt } });
  await planRetry(transaction, run, retryAt, now);
  if (pauses) await pauseIn(transaction, audit, run, { by, reason: "failing", now });
}

/** A retry replaces the previous one. An upload or a release that arrived in the meantime is kept. */
async function planRetry(transaction: Transaction, { datasetId, runId }: EndedRun, retryAt: Date | null, now: Date) {
  const isRetry = { OR: [{ wakeBy: null }, { wakeBy: "schedule" as const }] };
  const { count } = await transaction.schedule.updateMany({
    where: { datasetId, nextAt: { not: null }, ...isRetry },
    data: { wakeAt: retryAt, wakeBy: retryAt && "schedule" },
  });
  if (retryAt === null || count === 0) return;
  const message = `next attempt at ${retryAt.toISOString()}`;
  await addLateEvent(transaction, { runId, now, kind: "retry_planned", message, data: { at: retryAt.toISOString() } });
}
