import type { PgBoss } from "pg-boss";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import type { Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { RunKind, RunState } from "@/prisma/generated/client";

/** The queue of runs. A job says only which run to process; the run's row holds its true state. */
export const RUN_QUEUE = "run";
/** The queue of inspections. It is separate because they are short and must never wait behind runs. */
export const INSPECTION_QUEUE = "inspection";
const SCHEMA = "pgboss";
const HEARTBEAT_SECONDS = 15;
const INSPECTION_SECONDS = 300;
/**
 * The most that the package takes. A healthy run may read many slow sources one after another before its sandbox
 * starts; a dead worker is found by its heartbeat.
 */
const RUN_SECONDS = 86_400;

export interface RunJob {
  run_id: string;
}

export interface InspectionJob {
  inspection_id: string;
}

/** The package, loaded on first use: a process that only reads has no queue. */
const pgBoss = () => import("pg-boss");

/** This process's queue, opened once. `supervise` finds jobs whose worker died, and is for workers. */
export function jobs(options: { supervise?: boolean } = {}): Promise<PgBoss> {
  return processWide("jobs", () => openJobs(options.supervise ?? false));
}

async function openJobs(supervise: boolean): Promise<PgBoss> {
  const { url } = await database();
  const boss = new (await pgBoss()).PgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: "parquetry jobs",
    max: 4,
    supervise,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", () => {}); // failed work is retried at the next interval
  await boss.start();
  await boss.createQueue(RUN_QUEUE, {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 3,
    retryDelay: 2,
    expireInSeconds: RUN_SECONDS,
  });
  await boss.updateQueue(RUN_QUEUE, { expireInSeconds: RUN_SECONDS }); // older services made it with a shorter one
  const retries = { heartbeatSeconds: HEARTBEAT_SECONDS, retryLimit: 2, retryDelay: 2 };
  await boss.createQueue(INSPECTION_QUEUE, { ...retries, expireInSeconds: INSPECTION_SECONDS });
  return boss;
}

/** How many jobs a queue has, and for how long the oldest of those that are due has been waiting. */
export interface QueueState {
  queue: string;
  waiting: number;
  active: number;
  oldestSeconds: number;
}

/** The states of the queues, of all instances. */
export async function queueStates(): Promise<QueueState[]> {
  const { rows } = await (await database()).pool.query<QueueState>(
    `SELECT q.name AS queue, count(j.id) FILTER (WHERE j.state < 'active')::int AS waiting,
       count(j.id) FILTER (WHERE j.state = 'active')::int AS active,
       coalesce(greatest(0, extract(epoch FROM
         now() - min(j.start_after) FILTER (WHERE j.state < 'active'))), 0)::float8 AS "oldestSeconds"
     FROM unnest($1::text[]) AS q(name)
       LEFT JOIN ${SCHEMA}.job j ON j.name = q.name AND j.state <= 'active'
     GROUP BY q.name`,
    [[RUN_QUEUE, INSPECTION_QUEUE]],
  );
  return rows;
}

/** Closes what `jobs()` opened, if anything. Jobs in progress are left to other workers. */
export async function closeJobs(): Promise<void> {
  const open = processWide<Promise<PgBoss> | undefined>("jobs", () => undefined);
  forgetProcessWide("jobs");
  await (await open?.catch(() => undefined))?.stop({ graceful: false, close: true });
}

/** Samples come before approved full runs, those before refreshes, and replays last. */
const priorityOf = ({ kind, state }: { kind: RunKind; state: RunState }): number =>
  state === "queued" || state === "running" ? 30 : { build: 20, refresh: 10, replay: 0 }[kind];

type Queued = { id: string; workspaceId: string; kind: RunKind; state: RunState };

/** Queues a run as part of a transaction, so it is queued if and only if its state says so. */
export async function enqueueRun(transaction: Transaction, run: Queued, startAfterSeconds = 0): Promise<void> {
  const boss = await jobs();
  const { fromPrisma } = await pgBoss();
  await boss.send(RUN_QUEUE, { run_id: run.id } satisfies RunJob, {
    db: fromPrisma(transaction),
    priority: priorityOf(run),
    group: { id: run.workspaceId },
    startAfter: startAfterSeconds,
  });
}

/** The same for an inspection. */
export async function enqueueInspection(
  transaction: Transaction,
  { id, workspaceId }: Pick<Queued, "id" | "workspaceId">,
): Promise<void> {
  const boss = await jobs();
  const { fromPrisma } = await pgBoss();
  const job = { inspection_id: id } satisfies InspectionJob;
  await boss.send(INSPECTION_QUEUE, job, { db: fromPrisma(transaction), group: { id: workspaceId } });
}
