import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { basename, join } from "node:path";

const THREADS = "/proc/self/task";
/** A third of the processor time of a thread at the usual priority, where both want it. */
const LOWER_BY = 5;

/**
 * Lets the rest of this process run before its threads called `name`: those that calculate, where others answer.
 * Returns how many there are; none on a system that does not tell of threads.
 */
export function lowerThreads(name: string): number {
  const threads = listed(THREADS).filter((id) => nameOf(id) === name);
  for (const id of threads) lower(Number(id));
  return threads.length;
}

/** The same for the thread that calls it. */
export function lowerOwnThread(): void {
  try {
    lower(Number(basename(readlinkSync("/proc/thread-self"))));
  } catch {
    // no such system
  }
}

function lower(id: number): void {
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority() + LOWER_BY));
  } catch {
    // it has ended, or may not be changed
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function nameOf(id: string): string | undefined {
  try {
    return readFileSync(join(THREADS, id, "comm"), "utf8").trim();
  } catch {
    return undefined;
  }
}
