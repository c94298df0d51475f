import { database } from "@/lib/store/postgres/database";
import { enqueueRun, RUN_QUEUE } from "./jobs";
import { BUSY_STATES, takeStep } from "./run-transitions";

/**
 * Ends runs that nobody confirmed or approved in time and requests to publish or activate that nobody decided; deletes
 * replies stored for repeated calls.
 */
export async function expireRuns(now: Date): Promise<number> {
  const { prisma } = await database();
  const due = await prisma.run.findMany({
    where: { state: { in: ["planned", "awaiting_approval"] }, expiresAt: { lte: now } },
    select: { id: true, state: true },
    take: 100,
  });
  for (const { id: runId, state } of due) {
    const message = state === "planned" ? "nobody confirmed it" : "nobody approved it in time";
    await prisma.$transaction(async (transaction) => {
      if (!(await takeStep(transaction, "expire", { runId, now, message }))) return;
      await transaction.approval.updateMany({
        where: { runId, state: "asked" },
        data: { state: "expired", decidedAt: now },
      });
    });
  }
  await prisma.approval.updateMany({
    where: { kind: { not: "run" }, state: "asked", expiresAt: { lte: now } },
    data: { state: "expired", decidedAt: now },
  });
  await prisma.idempotencyRecord.deleteMany({ where: { expiresAt: { lte: now } } });
  return due.length;
}

const HEARTBEAT_TIMEOUT_MS = 60_000;

/** Requeues runs whose job is gone, as after a restore: no job in the queue, and no sign of a worker for a minute. */
export async function requeueLostRuns(now: Date): Promise<number> {
  const { prisma } = await database();
  const since = new Date(now.getTime() - HEARTBEAT_TIMEOUT_MS);
  const open = await prisma.run.findMany({
    where: {
      state: { in: [...BUSY_STATES] },
      OR: [{ heartbeatAt: null, queuedAt: { lt: since } }, { heartbeatAt: { lt: since } }],
    },
    take: 100,
  });
  let queued = 0;
  for (const run of open)
    await prisma.$transaction(async (transaction) => {
      const [{ jobs } = { jobs: 0 }] = await transaction.$queryRawUnsafe<{ jobs: number }[]>(
        `SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = $1 AND data->>'run_id' = $2
         AND state IN ('created', 'retry', 'active')`,
        RUN_QUEUE,
        run.id,
      );
      if (jobs > 0) return;
      await enqueueRun(transaction, run);
      queued++;
    });
  return queued;
}

/** The folders of work in progress, `<run id>.<fence>`. Those of earlier claims are abandoned. */
export async function busyFolders(): Promise<Set<string>> {
  const { prisma } = await database();
  const where = { state: { in: [...BUSY_STATES] } };
  const rows = await prisma.run.findMany({ where, select: { id: true, fence: true } });
  return new Set(rows.map(({ id, fence }) => `${id}.${fence}`));
}
