import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { log } from "@/lib/http/log";
import { env } from "@/lib/kernel/env";
import { readValuesOf } from "@/lib/publish/read-values";
import { isDatabaseDown } from "@/lib/store/postgres/database-failure";
import { jobs, RUN_QUEUE, type RunJob } from "@/lib/store/runs/jobs";
import {
  type ClaimedRun,
  claimRun,
  endCancelled,
  failRun,
  handBack,
  Overtaken,
  type RunClaim,
  recordHeartbeat,
} from "@/lib/store/runs/run-claims";
import { cleanText, fullDisk, Interrupted, RunFailure } from "./run-failure";

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
    await readValuesOf(run.datasetId);
  } catch (error) {
    if (isDatabaseDown(error)) throw error; // nothing can be written: the queue gives the run to a worker again
    if (error instanceof Interrupted) await endInterrupted(run, error.why, isSample);
    else if (!(error instanceof Overtaken)) await endFailed(run, error, working);
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

const BEAT_MS = 2_000;

export interface Progress {
  phase: string;
  done: number;
  of: number | null;
  unit: string;
}

export interface Pulse {
  /** Aborted, with an `Interrupted` as its reason, when the work must end. */
  signal: AbortSignal;
  /** The progress that the next heartbeat reports. */
  progress(progress: Progress): void;
}

/**
 * Runs `work` while this worker holds the run, with heartbeats in the database. Aborts it if another worker took the
 * run, somebody cancelled it, or the worker stops.
 */
export async function withHeartbeat<T>(
  claim: RunClaim,
  stop: AbortSignal,
  work: (pulse: Pulse) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  let latest: Progress | undefined;
  const progress = (reported: Progress) => {
    latest = reported;
  };
  const look = async () => {
    const reported = latest;
    latest = undefined;
    // a database outage should be short
    const state = await recordHeartbeat(claim, reported && { ...reported }, new Date()).catch(() => "held" as const);
    if (state !== "held") control.abort(new Interrupted(state));
  };
  const onStop = () => control.abort(new Interrupted("stop"));
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  const timer = setInterval(() => void look(), BEAT_MS);
  try {
    return await work({ signal: control.signal, progress });
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error; // the abort caused the failure
  } finally {
    clearInterval(timer);
    stop.removeEventListener("abort", onStop);
  }
}

/** The work of one sample or full run, from its sources to its next state. */
export type Stage = (run: ClaimedRun, pulse: Pulse) => Promise<void>;
