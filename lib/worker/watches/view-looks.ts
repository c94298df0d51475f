import { readingEngine } from "@/lib/operations/reading/reading-engine";
import type { Evaluating } from "@/lib/operations/watched-views/evaluate-view";
import { lookAtView } from "@/lib/operations/watched-views/look-at-view";
import { claimView, settleView } from "@/lib/store/news/watched-results";
import { isDatabaseDown } from "@/lib/store/postgres/database-failure";

const EVERY_MS = 1_000;

const UNSTORED_PAUSE_MS = 10 * 60_000;

/** Looks of a worker at the same time. A workspace has one, whatever is free. */
const LANES = 2;

/** How views are evaluated. */
export interface Looking extends Pick<Evaluating, "engine" | "now"> {
  signal: AbortSignal;
  /** Receives errors that are reported nowhere else. */
  onError(error: unknown): void;
}

/** Looks at one watched view whose table has another version, for the workspace whose turn it is; false if none has. */
export async function lookNext({ now, signal, engine, onError }: Looking): Promise<boolean> {
  if (signal.aborted) return false;
  const claimed = await claimView(now());
  if (!claimed) return false;
  const { workspaceId } = claimed;
  const evaluating = { workspaceId, subject: `watches:${workspaceId}`, engine, now, signal };
  const looked = await lookAtView(claimed, evaluating, onError);
  await settleView(claimed, looked, now()).catch(async (error) => {
    if (isDatabaseDown(error)) throw error;
    onError(error); // what cannot be stored must not be looked at again and again at once
    await settleView(claimed, { kind: "again", pauseMs: UNSTORED_PAUSE_MS }, now());
  });
  return true;
}

/**
 * Looks at watched views as versions become current; several workers may do so. Returns a stop function, which stops
 * looks in progress: the next worker makes them again.
 */
export function startLooks(onError: (error: unknown) => void): (late: Promise<unknown>) => Promise<void> {
  const control = new AbortController();
  const looking = { now: () => new Date(), signal: control.signal, engine: readingEngine, onError };
  const lanes = new Set<Promise<void>>();
  const drain = async (): Promise<void> => {
    while (await lookNext(looking));
  };
  const timer = setInterval(() => {
    if (lanes.size >= LANES) return;
    const lane: Promise<void> = drain()
      .catch((error) => control.signal.aborted || onError(error))
      .then(() => void lanes.delete(lane));
    lanes.add(lane);
  }, EVERY_MS);
  timer.unref();
  return async (late) => {
    clearInterval(timer);
    control.abort();
    await Promise.race([Promise.allSettled(lanes), late]);
  };
}
