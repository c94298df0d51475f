import { afterFailure } from "@/lib/freshness/retries";
import type { RunFailureCode } from "@/lib/schemas/run";
import { type Author, audited } from "@/lib/store/audit";
import { accountRun, type EndedRun, endedRuns } from "@/lib/store/runs/ended-runs";
import { moreMemory } from "./more-memory";
import { nextRefresh, type OnError } from "./plan-refreshes";
import { BY_SERVICE } from "./start-refreshes";

const SERVICE: Author = { actor: "service" };

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
