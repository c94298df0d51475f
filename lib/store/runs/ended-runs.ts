import type { AuditLog, Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { pauseIn } from "@/lib/store/recipes/schedules";
import type { Prisma } from "@/prisma/generated/client";
import { addLateEvent } from "./run-transitions";

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
