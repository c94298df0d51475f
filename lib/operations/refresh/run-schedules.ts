import { readRecipe } from "@/lib/builds/document/read-recipe";
import { jitterMs } from "@/lib/freshness/jitter";
import { afterFailure } from "@/lib/freshness/retries";
import { anchored } from "@/lib/freshness/schedule";
import { env } from "@/lib/kernel/env";
import { Failure } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import { whyApprovalEnded } from "@/lib/operations/approvals/approval-ends";
import { RecordedEvidence } from "@/lib/operations/freshness/recorded-evidence";
import { estimateRun, estimateText } from "@/lib/operations/runs/estimate";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RunFailureCode } from "@/lib/schemas/run";
import { type Author, audited } from "@/lib/store/audit";
import { hasActiveSubscription } from "@/lib/store/people/subscription";
import {
  accountRun,
  type DueSchedule,
  dueSchedules,
  type EndedRun,
  endedRuns,
  lackedMemory,
  type PauseReason,
  pausedByPlan,
  pauseSchedule,
  postponeSchedule,
  resumeSchedule,
  type ScheduledDataset,
  storeSchedule,
  takeTick,
  type UnplannedRecipe,
  unplannedRecipes,
} from "@/lib/store/recipes/schedules";
import { readingsOf, storedEvidence } from "@/lib/store/releases/evidence";
import { countRun, requireFetchQuota } from "@/lib/store/runs/build-quota";
import { createRunIn } from "@/lib/store/runs/runs";

/**
 * One round of the schedules of all datasets: plans what is approved, evaluates what has ended, starts what is due. A
 * failure of one dataset is reported once the others have had their turn.
 */
export async function runSchedules(now: Date): Promise<void> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  await planRefreshes(now, onError);
  await accountRuns(now, onError);
  await startRefreshes(now, onError);
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, "schedules");
}

const SERVICE: Author = { actor: "service" };

/** Brings the stored schedules in line with approvals and plans. */
export async function planRefreshes(now: Date, onError: OnError): Promise<void> {
  for (const unplanned of await unplannedRecipes()) await planOne(unplanned, now).catch(onError);
  for (const dataset of await pausedByPlan()) await resumePaid(dataset, now).catch(onError);
}

/** Receives the failure of one dataset, so that the others still have their turn. */
export type OnError = (error: unknown) => void;

async function resumePaid(dataset: ScheduledDataset, now: Date): Promise<void> {
  if (await hasActiveSubscription(dataset.workspaceId, now))
    await resumeSchedule(dataset, await nextRefresh(dataset.datasetId, now), SERVICE);
}

async function planOne({ datasetId, revisionId, document, firstApprovedAt }: UnplannedRecipe, now: Date) {
  const { recipe } = readRecipe(document);
  const { refresh } = recipe;
  const planned = { datasetId, revisionId, now };
  if (!refresh) return storeSchedule({ ...planned, spec: undefined, upstreams: [], uploads: [], nextAt: null });
  await storeSchedule({
    ...planned,
    spec: { ...anchored(refresh, firstApprovedAt.getTime()) },
    upstreams: refresh.on_upstream ? upstreamsOf(recipe) : [],
    uploads: refresh.on_upload ? uploadsOf(recipe) : [],
    nextAt: await nextRefresh(datasetId, now),
  });
}

/** A version that the recipe names never changes. */
const upstreamsOf = ({ sources }: Recipe): string[] =>
  sources.flatMap((source) => (source.kind === "table" && source.version === "current" ? [source.table] : []));

const uploadsOf = ({ sources }: Recipe): string[] =>
  sources.flatMap((source) => (source.kind === "upload" && source.digest === undefined ? [source.upload] : []));

/**
 * When a dataset's sources are to be read next, according to its approved recipe and what is known about them; null for
 * never.
 */
export async function nextRefresh(datasetId: string, now: Date): Promise<Date | null> {
  const [stored] = await storedEvidence([datasetId]);
  if (!stored?.firstApprovedAt) return null;
  const { refresh } = readRecipe(stored.document).recipe;
  if (!refresh) return null;
  const lateMs = jitterMs(anchored(refresh, stored.firstApprovedAt.getTime()), sha256Hex(datasetId));
  const recorded = new RecordedEvidence(stored, await readingsOf([datasetId]), () => true);
  const next = recorded.nextRead(now.getTime(), lateMs);
  return next === null ? null : new Date(next);
}

/** Failures whose cause may be temporary. */
const PASSING: ReadonlySet<RunFailureCode> = new Set(["source_unreachable", "source_timeout", "worker_lost"]);

/** Replies of a source that may be different on another request. */
const isPassingStatus = (status: number | null): boolean => status === 429 || (status !== null && status >= 500);

/** Running out of memory counts as temporary if the next attempt has more. */
const isPassing = ({ failureCode, status, memoryMb }: EndedRun): boolean =>
  PASSING.has(failureCode as RunFailureCode) ||
  (failureCode === "source_status" && isPassingStatus(status)) ||
  (failureCode === "memory_exceeded" && moreMemory(memoryMb) !== undefined);

/** Decides from ended runs what happens next to their datasets: when they are read, retried or paused. */
export async function accountRuns(now: Date, onError: OnError): Promise<void> {
  for (const run of await endedRuns()) await accountOne(run, now).catch(onError);
}

async function accountOne(run: EndedRun, now: Date): Promise<void> {
  const { datasetId, finishedAt } = run;
  const planned = await nextRefresh(datasetId, now);
  await audited(SERVICE, async (transaction, note) => {
    if (!run.isFailed) {
      const done = { failuresInRow: 0, slowedAt: null, retryAt: null, pauses: false };
      return accountRun(transaction, note, run, { ...done, nextAt: planned, by: BY_SERVICE, now });
    }
    const failuresInRow = run.failuresInRow + 1;
    const slowedAt = run.slowedAt?.getTime() ?? null;
    const after = afterFailure({ failuresInRow, slowedAt }, isPassing(run), finishedAt.getTime());
    const notBefore = planned === null ? null : new Date(Math.max(planned.getTime(), after.notBefore));
    return accountRun(transaction, note, run, {
      failuresInRow,
      slowedAt: after.slowedAt === null ? null : new Date(after.slowedAt),
      retryAt: after.retryAt === null ? null : new Date(after.retryAt),
      pauses: after.pauses,
      nextAt: notBefore,
      by: BY_SERVICE,
      now,
    });
  });
}

export const BY_SERVICE = { kind: "service", user_id: null, connection_id: null, client_id: null } as const;
const DAY_MS = 86_400_000;

/**
 * Queues a refresh of each dataset whose time has come. At most one, however long no worker ran: the next time is
 * computed from now. While a run of the dataset is under way, its time remains due.
 */
export async function startRefreshes(now: Date, onError: OnError): Promise<void> {
  for (const due of await dueSchedules(now)) await startOne(due, now).catch(onError);
}

async function startOne(due: DueSchedule, now: Date): Promise<void> {
  const reason = await whyNot(due, now);
  if (reason !== undefined) {
    await pauseSchedule(due, { by: BY_SERVICE, reason, now }, SERVICE);
    return;
  }
  try {
    await requireFetchQuota(due.workspaceId, env().BUILD_BYTES_DAY, now);
    await countRun(due.workspaceId, env().BUILD_RUNS_DAY, now);
    await queueRefresh(due, now);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "daily_quota_exhausted") await postponeSchedule(due.datasetId, error.code, tomorrow(now));
    else if (error.code !== "conflict") throw error; // a run has begun in the meantime: the time remains due
  }
}

/** Refreshes run under the approval of their recipe and the plan of their workspace. */
async function whyNot(due: DueSchedule, now: Date): Promise<PauseReason | undefined> {
  if (!(await hasActiveSubscription(due.workspaceId, now))) return "plan_ended";
  const ended = await whyApprovalEnded(due, due.workspaceId, now);
  return ended === undefined ? undefined : "approval_expired";
}

const tomorrow = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);

async function queueRefresh(due: DueSchedule, now: Date): Promise<void> {
  const { datasetId, workspaceId, slug, revisionId, revision, recipeDigest, trigger } = due;
  const { recipe } = readRecipe(due.document);
  const estimate = await estimateRun(recipe, { datasetId, workspaceId }, now);
  const nextAt = await nextRefresh(datasetId, now);
  const lacked = await lackedMemory(datasetId);
  const memoryMb = lacked && moreMemory(lacked.memoryMb);
  await audited(SERVICE, async (transaction, note) => {
    if (!(await takeTick(transaction, { datasetId, nextAt, now }))) return;
    await createRunIn(transaction, note, {
      dataset: { id: datasetId, slug, workspaceId },
      revision: { id: revisionId, number: revision },
      kind: "refresh",
      trigger,
      state: "queued_full",
      plan: { estimate, now: now.toISOString(), ...(memoryMb !== undefined && { memoryMb }) },
      recipeDigest,
      createdBy: BY_SERVICE,
      message: `by ${CAUSE_LABELS[trigger]}; ${estimateText(estimate)}`,
      now,
    });
  });
}

const CAUSE_LABELS = {
  schedule: "its schedule",
  upstream: "a release of a table that it reads",
  upload: "an upload that it reads",
  person: "a member",
  agent: "an agent's connection",
} as const;

/** The memory that a refresh may use after it ran out; undefined if it already had that much, or may not have more. */
export function moreMemory(hadMb: number | null): number | undefined {
  const { BUILD_MEMORY_MB, BUILD_MEMORY_RETRY_MB } = env();
  const most = Math.min(2 * BUILD_MEMORY_MB, BUILD_MEMORY_RETRY_MB);
  return hadMb === null && most > BUILD_MEMORY_MB ? most : undefined;
}
