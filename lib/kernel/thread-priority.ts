import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { basename, join } from "node:path";

const THREADS = "/proc/self/task";
/** Gives a thread a third of the processor time of one at normal priority when both compete for it. */
const LOWER_BY = 5;

/**
 * Lowers the priority of this process's threads called `name`, which compute, below those that answer requests. Returns
 * their number, which is 0 on systems without /proc.
 */
export function lowerThreads(name: string): number {
  const threads = listed(THREADS).filter((id) => nameOf(id) === name);
  for (const id of threads) lower(Number(id));
  return threads.length;
}

/** Lowers the priority of the calling thread. */
export function lowerOwnThread(): void {
  try {
    lower(Number(basename(readlinkSync("/proc/thread-self"))));
  } catch {
    // this system has no /proc
  }
}

function lower(id: number): void {
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority() + LOWER_BY));
  } catch {
    // the thread has ended, or its priority cannot be changed
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
