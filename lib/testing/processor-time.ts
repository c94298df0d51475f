const ATTEMPTS = 15;

/**
 * Microseconds of processor time of all threads of this process for `work`: the minimum of several runs, which is the
 * least affected by other work in the process. Meaningful only in comparison with another one.
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
 * The processor time of `larger` as a multiple of that of `smaller`, each the minimum of several alternating runs.
 * Measured until it is below `bound`, at most 15 times. On a busy machine a run may cost more than the work, never
 * less.
 */
export async function timesAsMuch(larger: () => unknown, smaller: () => unknown, bound: number): Promise<number> {
  const ofBoth = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  for (let attempt = 0; attempt < ATTEMPTS && !(ofBoth[0] < bound * ofBoth[1]); attempt += 1) {
    ofBoth[1] = Math.min(ofBoth[1], await leastProcessorTime(smaller, 1));
    ofBoth[0] = Math.min(ofBoth[0], await leastProcessorTime(larger, 1));
  }
  return ofBoth[0] / ofBoth[1];
}

/** Resolves when this process has worked for `us` more microseconds, by which time the work it started is under way. */
export async function hasWorkedFor(us: number): Promise<void> {
  const start = process.cpuUsage();
  while (microseconds(start) < us) await new Promise((resume) => setTimeout(resume, 1));
}

export function microseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}
