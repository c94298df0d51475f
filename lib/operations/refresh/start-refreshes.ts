import { readRecipe } from "@/lib/builds/document/read-recipe";
import { env } from "@/lib/kernel/env";
import { Failure } from "@/lib/kernel/errors";
import { whyApprovalEnded } from "@/lib/operations/approvals/approval-ends";
import { estimateRun, estimateText } from "@/lib/operations/runs/estimate";
import { type Author, audited } from "@/lib/store/audit";
import { hasActiveSubscription } from "@/lib/store/people/subscription";
import {
  type DueSchedule,
  dueSchedules,
  type PauseReason,
  pauseSchedule,
  postponeSchedule,
  takeTick,
} from "@/lib/store/recipes/schedules";
import { countRun, requireFetchQuota } from "@/lib/store/runs/build-quota";
import { lackedMemory } from "@/lib/store/runs/ended-runs";
import { createRunIn } from "@/lib/store/runs/runs";
import { moreMemory } from "./more-memory";
import { nextRefresh, type OnError } from "./plan-refreshes";

const SERVICE: Author = { actor: "service" };
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
