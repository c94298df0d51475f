import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { log } from "@/lib/http/log";
import { env } from "@/lib/kernel/env";
import { isDatabaseDown } from "@/lib/store/postgres/database-failure";
import { jobs, RUN_QUEUE, type RunJob } from "@/lib/store/runs/jobs";
import { type ClaimedRun, claimRun, endCancelled, failRun, handBack } from "@/lib/store/runs/run-claims";
import { withHeartbeat } from "@/lib/worker/heartbeat";
import { cleanText, fullDisk, Interrupted, RunFailure } from "./run-failure";
import type { Stage } from "./stage";

/** A worker's name in events: the machine, the process, and a value for this start. */
export const newWorkerName = (): string => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

const AGAIN_SECONDS = 2;

export interface Working {
  worker: string;
  /** Does the work of a sample or full run and writes the outcome itself, under the run's fence. */
  stage: Stage;
  /** Aborted when the worker stops. */
  stop: AbortSignal;
  /** Receives errors that are reported nowhere else. */
  onError(error: unknown): void;
}

/** Processes one run: claims it if there is work for this worker, and takes it to its next state. */
export async function workOnRun({ run_id: runId }: RunJob, working: Working): Promise<void> {
  const { BUILD_RUNS_AT_ONCE: all, BUILD_RUNS_WORKSPACE: workspace } = env();
  const claim = await claimRun(runId, working.worker, { all, workspace }, new Date());
  if (claim.kind === "full") await lookAgain(runId);
  if (claim.kind !== "claimed") return;
  const { run } = claim;
  const isSample = run.state === "running";
  try {
    await withHeartbeat(run, working.stop, (pulse) => working.stage(run, pulse));
  } catch (error) {
    if (isDatabaseDown(error)) throw error; // nothing can be written: the queue gives the run to a worker again
    if (error instanceof Interrupted) await endInterrupted(run, error.why, isSample);
    else await endFailed(run, error, working);
  }
}

/** Looks at the run again later. This does not use up an attempt: the queue counts only jobs that fail. */
async function lookAgain(runId: string): Promise<void> {
  const boss = await jobs();
  await boss.send(RUN_QUEUE, { run_id: runId } satisfies RunJob, { startAfter: AGAIN_SECONDS });
}

async function endInterrupted(run: ClaimedRun, why: Interrupted["why"], isSample: boolean): Promise<void> {
  if (why === "cancel") await endCancelled(run, new Date());
  if (why === "stop") await handBack(run, isSample, new Date());
}

async function endFailed(run: ClaimedRun, error: unknown, { onError }: Working): Promise<void> {
  const named = error instanceof RunFailure ? error : undefined;
  const failure = named ?? fullDisk(error);
  if (!named && failure) log().error({ run: run.id, err: error }, "the disk of the service is full");
  if (!failure) onError(error);
  const code = failure?.code ?? "internal";
  const message = failure
    ? cleanText(failure.message)
    : "The service failed. The administrator can find the cause in the log.";
  await failRun(run, { code, message, data: { ...failure?.data } }, new Date());
}
