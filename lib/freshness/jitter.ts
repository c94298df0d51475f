import { type Schedule, Ticks } from "./ticks";

const SHARE = 0.05;
const MOST_MS = 600_000;

/**
 * How much later than planned a dataset's readings start, so that not all start at midnight: at most a twentieth of the
 * period and at most ten minutes, always the same for one dataset. `digest` is a hash of the dataset in hex.
 */
export function jitterMs(schedule: Schedule, digest: string): number {
  const share = Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32;
  return Math.floor(share * Math.min(SHARE * new Ticks(schedule).periodMs, MOST_MS));
}
