import type { RunEventKind } from "@/lib/schemas/run";
import type { Transaction } from "@/lib/store/audit";
import { recordNews } from "@/lib/store/news/news";
import type { Prisma, Run, RunState } from "@/prisma/generated/client";

interface Transition {
  from: readonly RunState[];
  to: RunState;
  event: RunEventKind;
}

/** THE state machine of runs: each row is one conditional UPDATE and one event in one transaction. */
export const TRANSITIONS = {
  confirm: { from: ["planned"], to: "queued", event: "confirmed" },
  supersede: { from: ["planned", "awaiting_approval"], to: "cancelled", event: "cancelled" },
  start_sample: { from: ["queued", "running"], to: "running", event: "started" },
  start_full: { from: ["queued_full", "running_full"], to: "running_full", event: "started" },
  finish_sample: { from: ["running"], to: "awaiting_approval", event: "sample_ready" },
  seal: { from: ["running_full"], to: "sealed", event: "sealed" },
  fail: { from: ["queued", "queued_full", "running", "running_full"], to: "failed", event: "failed" },
  hand_back_sample: { from: ["running"], to: "queued", event: "handed_back" },
  hand_back_full: { from: ["running_full"], to: "queued_full", event: "handed_back" },
  request_approval: { from: ["awaiting_approval"], to: "awaiting_approval", event: "approval_asked" },
  approve: { from: ["awaiting_approval"], to: "queued_full", event: "approved" },
  decline: { from: ["awaiting_approval"], to: "cancelled", event: "declined" },
  cancel: { from: ["planned", "queued", "queued_full", "awaiting_approval"], to: "cancelled", event: "cancelled" },
  cancel_running: { from: ["running", "running_full"], to: "cancelled", event: "cancelled" },
  expire: { from: ["planned", "awaiting_approval"], to: "expired", event: "expired" },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

/** Final states. */
export const FINAL_STATES: readonly RunState[] = ["sealed", "failed", "cancelled", "expired"];
/** States in which no second run of the dataset may start. */
export const BUSY_STATES: readonly RunState[] = ["queued", "running", "queued_full", "running_full"];

export interface Step {
  runId: string;
  now: Date;
  /** The fence of the worker that writes; absent for other callers. */
  fence?: bigint;
  /** The event's text for people. */
  message: string;
  data?: Prisma.InputJsonObject;
  /** Further columns of the run to set. */
  set?: Prisma.RunUpdateManyMutationInput;
}

/** Moves a run from one state to the next; undefined if it is in another state, or if another worker has it. */
export async function takeStep(transaction: Transaction, name: TransitionName, step: Step): Promise<Run | undefined> {
  const { from, to, event }: Transition = TRANSITIONS[name];
  return write(transaction, { ...step, kind: event, from, set: { ...step.set, ...endOf(to, step.now), state: to } });
}

const endOf = (to: RunState, now: Date): Prisma.RunUpdateManyMutationInput =>
  FINAL_STATES.includes(to) ? { finishedAt: now, expiresAt: null } : {};

export type EventStep = Step & { kind: RunEventKind };

/** Adds an event to a run that has not ended; undefined if it has ended, or if another worker has it. */
export function addEvent(transaction: Transaction, step: EventStep): Promise<Run | undefined> {
  const from: RunState[] = ["planned", "awaiting_approval", ...BUSY_STATES];
  return write(transaction, { ...step, from });
}

/** Adds an event to a run in any state, such as the fate of its release. */
export function addLateEvent(transaction: Transaction, step: EventStep): Promise<Run | undefined> {
  return write(transaction, { ...step, from: ["planned", "awaiting_approval", ...BUSY_STATES, ...FINAL_STATES] });
}

async function write(
  transaction: Transaction,
  { runId, now, fence, message, data = {}, set = {}, kind, from }: EventStep & { from: readonly RunState[] },
): Promise<Run | undefined> {
  const [run] = await transaction.run.updateManyAndReturn({
    where: { id: runId, state: { in: [...from] }, ...(fence !== undefined && { fence }) },
    data: { ...set, updatedAt: now, eventSeq: { increment: 1 } },
  });
  if (!run) return undefined;
  await transaction.runEvent.create({ data: { runId, seq: run.eventSeq, at: now, kind, message, data } });
  await recordRunNews(transaction, run, { kind, now, data });
  return run;
}

/** News for members: failures and approval requests, whatever caused them. */
async function recordRunNews(
  transaction: Transaction,
  run: Run,
  { kind, now: at, data }: Pick<EventStep, "kind" | "now" | "data">,
): Promise<void> {
  const { id, kind: runKind, trigger, datasetId, failureCode, failureMessage } = run;
  const about = { run: { id, kind: runKind, trigger } };
  if (kind === "failed") {
    const failure = { code: failureCode ?? "internal", message: failureMessage ?? "" };
    await recordNews(transaction, { kind: "run_failed", datasetId, at, data: { ...about, failure } });
  }
  if (kind === "approval_asked") {
    const approval = { kind: String(data?.kind ?? "run") };
    await recordNews(transaction, { kind: "approval_asked", datasetId, at, data: { ...about, approval } });
  }
}
