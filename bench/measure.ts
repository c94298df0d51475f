export interface Contender {
  name: string;
  /** Runs once; `turn` chooses among variants of the work. */
  run: (turn: number) => Promise<unknown>;
}

export interface Turns {
  /** Warm-up runs before the first that counts, as long as they take no longer than `budgetMs`; at least one. */
  warm: number;
  /** At least this many runs, then more until `budgetMs` is spent, at most `most`. */
  least: number;
  most: number;
  budgetMs: number;
}

/** Warm means compiled by V8, as in a server in use, but not in one that has had three requests. */
const TURNS: Turns = { warm: 100, least: 5, most: 41, budgetMs: 2_500 };

/**
 * Runs the contenders alternately (A B A B), so that other load on the machine affects all alike. Returns each one's
 * median in ms.
 */
export async function interleave(contenders: readonly Contender[], turns: Partial<Turns> = {}): Promise<number[]> {
  const { warm, least, most, budgetMs } = { ...TURNS, ...turns };
  const warmedAt = performance.now();
  for (let turn = 0; turn < warm && (turn < 1 || performance.now() - warmedAt < budgetMs); turn += 1)
    for (const { run } of contenders) await run(turn);
  const times: number[][] = contenders.map(() => []);
  const startedAt = performance.now();
  for (let turn = 0; turn < most && (turn < least || performance.now() - startedAt < budgetMs); turn += 1) {
    for (const [index, { run }] of contenders.entries()) times[index]?.push(await timed(() => run(turn)));
  }
  return times.map(median);
}

/** The same in less time, and therefore less precisely. */
export const hastened = ({ warm, least, most, budgetMs }: Turns, haste: number): Turns => ({
  warm: Math.ceil(warm / haste),
  least: Math.ceil(least / haste),
  most,
  budgetMs: budgetMs / haste,
});

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The quantile `at` of the values; NaN if there are none. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
