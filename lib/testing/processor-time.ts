const ATTEMPTS = 15;

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

/**
 * How many times the processor time of `smaller` `larger` takes, each the least of several runs, in turn: measured
 * until it is below `bound`, at most 15 times. On a busy machine a run may cost more than the work, never less.
 */
export async function timesAsMuch(larger: () => unknown, smaller: () => unknown, bound: number): Promise<number> {
  const ofBoth = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  for (let attempt = 0; attempt < ATTEMPTS && !(ofBoth[0] < bound * ofBoth[1]); attempt += 1) {
    ofBoth[1] = Math.min(ofBoth[1], await leastProcessorTime(smaller, 1));
    ofBoth[0] = Math.min(ofBoth[0], await leastProcessorTime(larger, 1));
  }
  return ofBoth[0] / ofBoth[1];
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
