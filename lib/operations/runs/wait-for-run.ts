import { setTimeout as sleep } from "node:timers/promises";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { findRun, type StoredRun } from "@/lib/store/runs/runs";

type RunState = StoredRun["state"];

const LOOK_MS = 250;

/**
 * The run once `isOver` is true of its state, or its current state when the time is up or the caller has disconnected.
 */
export async function waitForRun(
  run: StoredRun,
  waitMs: number,
  isOver: (state: RunState) => boolean,
  ctx: Context,
): Promise<StoredRun> {
  const until = performance.now() + waitMs;
  let latest = run;
  while (!isOver(latest.state) && performance.now() < until && !ctx.signal?.aborted) {
    await sleep(Math.min(LOOK_MS, Math.max(0, until - performance.now())));
    latest = (await findRun(membershipOf(ctx).workspaceId, run.id)) ?? latest;
  }
  return latest;
}

const UNDER_WAY: readonly RunState[] = ["queued", "running", "queued_full", "running_full"];

/** Whether a run makes no further progress until somebody acts. */
export const isAtRest = (state: RunState): boolean => !UNDER_WAY.includes(state);
