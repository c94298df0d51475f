import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";
import type { BlobHandle } from "./blob-store";

const REMEMBERED_MS = 10 * 60_000;
const ENTRIES_MAX = 1_000;
/** A change within the same clock tick of the file system as the hashing would leave the change time equal. */
const SETTLED_MS = 2_000;

interface Entry {
  digest: string;
  until: number;
}

/** Keyed by the mark of the stored bytes. */
const entries = () => processWide("verified-recently", () => new LRUCache<string, Entry>({ max: ENTRIES_MAX }));

/**
 * Records a verification that began at `startedAt`, unless the blob had been touched so shortly before that a later
 * change could go undetected.
 */
export function remember(blob: BlobHandle, digest: string, startedAt: number): void {
  const identity = blob.identity();
  if (!identity || startedAt - identity.changedAtMs < SETTLED_MS) return;
  entries().set(identity.mark, { digest, until: startedAt + REMEMBERED_MS });
}

/** Whether exactly these bytes were hashed within the last ten minutes. */
export function isRemembered(blob: BlobHandle, digest: string): boolean {
  const entry = entries().get(blob.identity()?.mark ?? "");
  return entry !== undefined && entry.until > Date.now() && entry.digest === digest;
}

export function forget(blob: BlobHandle): void {
  entries().delete(blob.identity()?.mark ?? "");
}
