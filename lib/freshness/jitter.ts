import { type Schedule, Ticks } from "./ticks";

const SHARE = 0.05;
const MOST_MS = 600_000;

/**
 * By how much a dataset's readings are later than planned, so that midnight is not everybody's midnight: at most a
 * twentieth of the period and ten minutes, always the same of one dataset. `digest` is a hash of it in hex.
 */
export function jitterMs(schedule: Schedule, digest: string): number {
  const share = Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32;
  return Math.floor(share * Math.min(SHARE * new Ticks(schedule).periodMs, MOST_MS));
}
