import type { RunFailureCode, RunResult } from "@/lib/schemas/run";
import type { Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { storeLock } from "@/lib/store/recipes/revisions";
import type { Prisma, Run } from "@/prisma/generated/client";
import { addArtifacts, type NewArtifact } from "./artifacts";
import { enqueueRun } from "./jobs";
import { addEvent, takeStep } from "./run-transitions";

const ATTEMPTS_MAX = 3;

export interface Caps {
  /** Maximum runs in progress over all workers. */
  all: number;
  workspace: number;
}

/** A run that a worker has claimed. */
export type ClaimedRun = Run;

export type Claim = { kind: "claimed"; run: Run } | { kind: "full" } | { kind: "nothing" };

/**
 * Claims a run for a worker. Returns `full` while the maximum number of runs is in progress, `nothing` if there is no
 * work left. A run whose worker was lost is taken over; the fourth attempt fails it instead.
 */
export async function claimRun(runId: string, worker: string, caps: Caps, now: Date): Promise<Claim> {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('claim run', 0))::text`;
    const run = await transaction.run.findUnique({ where: { id: runId } });
    if (!run || !["queued", "queued_full", "running", "running_full"].includes(run.state)) return { kind: "nothing" };
    if (isReplayedElsewhere(run, now)) return { kind: "nothing" };
    const isTakenOver = run.state === "running" || run.state === "running_full";
    if (!isTakenOver && (await isFull(transaction, run.workspaceId, caps))) return { kind: "full" };
    if (isTakenOver) await markWorkerLost(transaction, run, now);
    if (run.attempt >= ATTEMPTS_MAX) {
      await failAbandoned(transaction, run, now);
      return { kind: "nothing" };
    }
    const claimed = await start(transaction, run, worker, now);
    return claimed ? { kind: "claimed", run: claimed } : { kind: "nothing" };
  });
}

const HEARTBEAT_TIMEOUT_MS = 15_000;

/**
 * Whether another process that was heard of recently replays this version of the showcase. The process that fills the
 * catalogue works on such runs without their jobs, which any worker may find in the queue.
 */
const isReplayedElsewhere = ({ state, plan, heartbeatAt }: Run, now: Date): boolean =>
  (state === "running" || state === "running_full") &&
  plan !== null &&
  typeof plan === "object" &&
  "installed" in plan &&
  heartbeatAt !== null &&
  now.getTime() - heartbeatAt.getTime() < HEARTBEAT_TIMEOUT_MS;

async function isFull(transaction: Transaction, workspaceId: string, caps: Caps): Promise<boolean> {
  const under = { state: { in: ["running", "running_full"] as const } };
  const states = { in: [...under.state.in] };
  const all = await transaction.run.count({ where: { state: states } });
  const own = await transaction.run.count({ where: { state: states, workspaceId } });
  return all >= caps.all || own >= caps.workspace;
}

async function markWorkerLost(transaction: Transaction, { id: runId, worker }: Run, now: Date): Promise<void> {
  await addEvent(transaction, { runId, now, kind: "worker_lost", message: `worker ${worker ?? ""} was lost` });
}

async function failAbandoned(transaction: Transaction, { id: runId }: Run, now: Date): Promise<void> {
  const message = `Its worker was lost ${ATTEMPTS_MAX} times.`;
  const set = { failureCode: "worker_lost" satisfies RunFailureCode, failureMessage: message, fence: { increment: 1 } };
  await takeStep(transaction, "fail", { runId, now, message: `worker_lost: ${message}`, set });
}

function start(transaction: Transaction, run: Run, worker: string, now: Date): Promise<Run | undefined> {
  const name = run.state === "queued" || run.state === "running" ? "start_sample" : "start_full";
  const claim = { worker, claimedAt: now, heartbeatAt: now, startedAt: run.startedAt ?? now };
  const set = { ...claim, attempt: { increment: 1 }, fence: { increment: 1 }, progress: {} };
  const phase = name === "start_sample" ? "sample" : "full run";
  return takeStep(transaction, name, { runId: run.id, now, message: `${phase}, attempt ${run.attempt + 1}`, set });
}

/** What a worker needs to know about its run. */
export type RunClaim = { id: string; fence: bigint };

/**
 * Records that the worker is alive, and its progress. Returns `lost` if another worker has the run, `cancel` if
 * somebody requested that.
 */
export async function recordHeartbeat(
  { id, fence }: RunClaim,
  progress: Prisma.InputJsonObject | undefined,
  now: Date,
): Promise<"held" | "lost" | "cancel"> {
  const { prisma } = await database();
  const [run] = await prisma.run.updateManyAndReturn({
    where: { id, fence, state: { in: ["running", "running_full"] } },
    data: { heartbeatAt: now, ...(progress && { progress, updatedAt: now }) },
    select: { cancelRequestedAt: true },
  });
  if (!run) return "lost";
  return run.cancelRequestedAt ? "cancel" : "held";
}

/** Another worker has the run. Nothing that this one wrote is kept. */
export class Overtaken extends Error {
  constructor() {
    super("another worker has the run");
  }
}

export interface WorkerEvent {
  kind: Parameters<typeof addEvent>[1]["kind"];
  message: string;
  data?: Prisma.InputJsonObject;
}

/** Adds an event from the worker; false if another worker has the run. */
export async function addWorkerEvent({ id: runId, fence }: RunClaim, event: WorkerEvent, now: Date): Promise<boolean> {
  const { prisma } = await database();
  return (
    (await prisma.$transaction((transaction) => addEvent(transaction, { runId, fence, now, ...event }))) !== undefined
  );
}

/** Stores which bytes a full run read, so that it can be replayed from them. */
export async function storeReads({ id, fence }: RunClaim, plan: Prisma.InputJsonObject): Promise<void> {
  const { prisma } = await database();
  await prisma.run.updateMany({ where: { id, fence }, data: { plan } });
}

/** Ends a run with a named failure; false if another worker has it. */
export async function failRun(
  { id: runId, fence }: RunClaim,
  failure: {
    code: RunFailureCode;
    message: string;
    data?: Prisma.InputJsonObject;
    set?: Prisma.RunUpdateManyMutationInput;
  },
  now: Date,
): Promise<boolean> {
  const { prisma } = await database();
  const { code, message, data = {} } = failure;
  const set = { ...failure.set, failureCode: code, failureMessage: message };
  const step = { runId, fence, now, message: `${code}: ${message}`, data: { ...data, code }, set };
  return (await prisma.$transaction((transaction) => takeStep(transaction, "fail", step))) !== undefined;
}

/** Ends a run whose worker was asked to stop; false if another worker has it. */
export async function endCancelled({ id: runId, fence }: RunClaim, now: Date): Promise<boolean> {
  const { prisma } = await database();
  const step = { runId, fence, now, message: "stopped by the worker" };
  return (await prisma.$transaction((transaction) => takeStep(transaction, "cancel_running", step))) !== undefined;
}

/** Returns a run to the queue when its worker stops. The attempt does not count. */
export async function handBack({ id: runId, fence }: RunClaim, isSample: boolean, now: Date): Promise<void> {
  const { prisma } = await database();
  const name = isSample ? "hand_back_sample" : "hand_back_full";
  const set = { attempt: { decrement: 1 }, fence: { increment: 1 } };
  await prisma.$transaction(async (transaction) => {
    const step = { runId, fence, now, message: "returned to the queue by a worker that is stopping", set };
    const run = await takeStep(transaction, name, step);
    if (run) await enqueueRun(transaction, run);
  });
}

export interface FinishedSample {
  result: RunResult;
  artifacts: readonly NewArtifact[];
  /** Canonical JSON text. */
  lock: string;
  recipeDigest: string;
  message: string;
  expiresAt: Date;
  now: Date;
}

/** Stores what a build produced that failed because of its data. Does nothing if another worker has the run. */
export async function storeFailure(
  { id, fence }: RunClaim,
  { result, artifacts, now }: Pick<FinishedSample, "result" | "artifacts" | "now">,
): Promise<void> {
  const { prisma } = await database();
  await prisma.$transaction(async (transaction) => {
    const sample = result as unknown as Prisma.InputJsonObject;
    const { count } = await transaction.run.updateMany({ where: { id, fence }, data: { sample } });
    if (count > 0) await addArtifacts(transaction, id, artifacts, now);
  });
}

/** Records a sample, which then waits for approval. Throws `Overtaken` if another worker has the run. */
export async function recordSample(run: RunClaim & { revisionId: string }, finished: FinishedSample): Promise<void> {
  const { result, artifacts, lock, recipeDigest, message, expiresAt, now } = finished;
  const { prisma } = await database();
  await prisma.$transaction(async (transaction) => {
    const sample = result as unknown as Prisma.InputJsonObject;
    const set = { sample, recipeDigest, expiresAt, progress: {}, attempt: 0 };
    const data = { recipe_digest: recipeDigest };
    const step = { runId: run.id, fence: run.fence, now, message, data, set };
    if (!(await takeStep(transaction, "finish_sample", step))) throw new Overtaken();
    await addArtifacts(transaction, run.id, artifacts, now);
    await storeLock(transaction, run.revisionId, { lock, recipeDigest });
  });
}
