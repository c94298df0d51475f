/**
 * Microseconds of processor time, of all threads of this process, for `work`: the least of several runs, since only
 * that is free of what else the process did. Says nothing by itself: compare two of them.
 */
export async function leastProcessorTime(work: () => unknown, runs = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    await work();
    least = Math.min(least, microseconds(start));
  }
  return least;
}

/** Resolves when this process has worked for so many microseconds more: by then what it has begun is under way. */
export async function hasWorkedFor(us: number): Promise<void> {
  const start = process.cpuUsage();
  while (microseconds(start) < us) await new Promise((resume) => setTimeout(resume, 1));
}

export function microseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}
