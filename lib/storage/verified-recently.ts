import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";
import type { BlobHandle } from "./blob-store";

const REMEMBERED_MS = 10 * 60_000;
const ENTRIES_MAX = 1_000;
/** A change within the file system's clock tick of the hashing would leave the same change time. */
const SETTLED_MS = 2_000;

interface Entry {
  digest: string;
  until: number;
}

/** By the mark of the stored bytes. */
const entries = () => processWide("verified-recently", () => new LRUCache<string, Entry>({ max: ENTRIES_MAX }));

/**
 * Records a verification that began at `startedAt`, unless the blob was touched too shortly before it to detect a later
 * change.
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
