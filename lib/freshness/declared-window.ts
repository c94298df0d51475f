import type { UpdateWindow } from "./evidence";
import { earlyMs, graceMs } from "./grace";
import { later, promised, type Schedule, Ticks } from "./ticks";

/**
 * The window that a declared schedule promises after a source's changes. The first reading stands for the tick before
 * it.
 */
export function declaredWindow(
  schedule: Schedule & { expected_by: string },
  changes: readonly number[],
  firstRead: number,
  readingIntervalMs: number,
): UpdateWindow {
  const ticks = new Ticks(schedule);
  const tick = ticks.after(satisfiedTick(ticks, changes, firstRead));
  const due = promised(tick, schedule.expected_by, schedule.time_zone);
  const graced = schedule.grace === undefined ? due + graceMs(ticks.periodMs) : later(due, schedule.grace);
  return { earliest: tick, latest: graced + readingIntervalMs };
}

/**
 * The tick that the last change satisfies: the last one before it, or the one just after it if the change is early and
 * the previous tick already had an update.
 */
function satisfiedTick(ticks: Ticks, changes: readonly number[], firstRead: number): number {
  let satisfied = ticks.around(firstRead).last ?? Number.NEGATIVE_INFINITY;
  let hasUpdate = false;
  for (const change of changes) {
    const { last = Number.NEGATIVE_INFINITY, next } = ticks.around(change);
    const isSecond = hasUpdate && satisfied >= last;
    const isEarly = next - change <= earlyMs(ticks.periodMs);
    satisfied = Math.max(satisfied, isSecond && isEarly ? next : last);
    hasUpdate = true;
  }
  return satisfied === Number.NEGATIVE_INFINITY ? firstRead : satisfied;
}
