import { env } from "@/lib/kernel/env";
import { closeJobs, INSPECTION_QUEUE, type InspectionJob, jobs, RUN_QUEUE, type RunJob } from "@/lib/store/runs/jobs";
import { type Inspecting, workOnInspection } from "./inspections/inspect-job";
import { newWorkerName, type Working, workOnRun } from "./runs/run-job";
import { startUpkeep } from "./upkeep";
import { startDeliveries } from "./watches/deliveries";
import { startLooks } from "./watches/view-looks";

const STOP_MS = 10_000;

export interface Worker {
  name: string;
  /** Takes no further runs, returns those in progress to the queue, and resolves once that is done. */
  stop(): Promise<void>;
}

/** Inspections are short and never wait for runs. Each workspace has one at a time, so that others get a turn. */
const INSPECTIONS = { pollingIntervalSeconds: 0.5, localConcurrency: 2, groupConcurrency: 1 };

/** Works on runs, `WORKER_RUNS` at once, and on inspections at the same time, until it is stopped. */
export async function startWorker({
  stage,
  onError,
  program,
}: Pick<Working, "stage" | "onError"> & Pick<Inspecting, "program">): Promise<Worker> {
  const boss = await jobs({ supervise: true });
  const control = new AbortController();
  const working: Working = { worker: newWorkerName(), stage, stop: control.signal, onError };
  const underWay = new Set<Promise<void>>();
  const { WORKER_RUNS, BUILD_RUNS_WORKSPACE } = env();
  const options = {
    pollingIntervalSeconds: 0.5,
    localConcurrency: WORKER_RUNS,
    groupConcurrency: BUILD_RUNS_WORKSPACE,
  };
  const track = async (work: Promise<void>): Promise<void> => {
    underWay.add(work);
    await work.finally(() => underWay.delete(work));
  };
  await boss.work<RunJob>(RUN_QUEUE, options, async ([job]) => {
    if (job) await track(workOnRun(job.data, working));
  });
  await boss.work<InspectionJob>(INSPECTION_QUEUE, INSPECTIONS, async ([job]) => {
    if (job) await track(workOnInspection(job.data, { ...working, program }));
  });
  const stopUpkeep = startUpkeep(onError);
  const stopDeliveries = startDeliveries(onError);
  const stopLooks = startLooks(onError);
  const stop = async () => {
    const late = new Promise((done) => setTimeout(done, STOP_MS).unref());
    const tidied = stopUpkeep(late);
    for (const queue of [RUN_QUEUE, INSPECTION_QUEUE]) await boss.offWork(queue).catch(onError);
    control.abort();
    await Promise.all([
      tidied,
      stopLooks(late),
      stopDeliveries(late),
      Promise.race([Promise.allSettled(underWay), late]),
    ]);
    await closeJobs();
  };
  return { name: working.worker, stop };
}
