import type { BigIntStats } from "node:fs";
import { processWide } from "@/lib/process-wide";

const REMEMBERED_MS = 10 * 60_000;
const ENTRIES_MAX = 1_000;
/** A change within the file system's clock tick of the hashing would leave the same change time. */
const SETTLED_MS = 2_000;

interface Entry {
  identity: string;
  digest: string;
  until: number;
}

const entries = () => processWide("verified-recently", () => new Map<string, Entry>());

/**
 * Inode, size and both times: any write, truncation or replacement changes the change time, which no caller can set
 * back.
 */
const identityOf = (stats: BigIntStats): string =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");

/**
 * Notes a verification that began at `startedAt`, unless the file was touched too shortly before it to tell a later
 * change apart.
 */
export function remember(path: string, stats: BigIntStats, digest: string, startedAt: number): void {
  if (startedAt - Number(stats.ctimeMs) < SETTLED_MS) return;
  const known = entries();
  known.delete(path);
  known.set(path, { identity: identityOf(stats), digest, until: startedAt + REMEMBERED_MS });
  const oldest = known.keys().next().value;
  if (known.size > ENTRIES_MAX && oldest !== undefined) known.delete(oldest);
}

/** Whether these very bytes were hashed within the last ten minutes. */
export function isRemembered(path: string, stats: BigIntStats, digest: string): boolean {
  const entry = entries().get(path);
  return (
    entry !== undefined && entry.until > Date.now() && entry.digest === digest && entry.identity === identityOf(stats)
  );
}

export const forget = (path: string): void => void entries().delete(path);
