import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@/lib/kernel/errors";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { BlobHandle, BlobStore, StoredBlob, Stray } from "@/lib/storage/blob-store";
import { LocalCache } from "@/lib/storage/local-cache";

interface Held {
  bytes: Buffer;
  changedAtMs: number;
  /** Identifies this write, like an object store's ETag and version ID. */
  mark: string;
}

/** A driver whose storage has neither paths nor descriptors, like an object store. */
export class MemoryBlobs implements BlobStore {
  readonly #held = new Map<string, Held>();
  readonly #cache: LocalCache;
  #writes = 0;
  /** How many blobs were opened since the start. */
  opened = 0;

  constructor(cacheFolder: string, cacheBytes: number) {
    this.#cache = new LocalCache(join(cacheFolder, "blob-cache"), cacheBytes, (digest) => this.open(digest));
  }

  async put(digest: string, fromFile: string, { keep = false } = {}): Promise<void> {
    const bytes = await readFile(fromFile);
    if (sha256Hex(bytes) !== digest) throw fail("integrity_failure");
    this.overwrite(digest, bytes);
    if (!keep) await rm(fromFile);
  }

  async stat(digest: string): Promise<{ bytes: number } | undefined> {
    const held = this.#held.get(digest);
    return held && { bytes: held.bytes.length };
  }

  async open(digest: string): Promise<BlobHandle> {
    const held = this.#held.get(digest);
    if (!held) throw Object.assign(new Error("There is no such blob"), { code: "ENOENT" });
    this.opened += 1;
    const { bytes, mark, changedAtMs } = held;
    return {
      bytes: bytes.length,
      read: async (buffer, offset, length, position) => ({
        bytesRead: bytes.copy(buffer, offset, Math.min(position, bytes.length), position + length),
      }),
      identity: () => ({ mark, changedAtMs }),
      close: async () => undefined,
    };
  }

  withLocalPath<T>(digest: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.#cache.withPath(digest, work);
  }

  localFolder(): string {
    return this.#cache.folder;
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const [digest, { bytes, changedAtMs }] of this.#held) yield { digest, bytes: bytes.length, changedAtMs };
  }

  async *strays(): AsyncGenerator<Stray> {}

  async remove(digest: string): Promise<void> {
    this.#held.delete(digest);
  }

  /** Stores bytes under a digest that need not be theirs, as failing storage would. */
  overwrite(digest: string, bytes: Buffer): void {
    this.#writes += 1;
    this.#held.set(digest, { bytes, changedAtMs: Date.now(), mark: `memory:${this.#writes}` });
  }
}

/** Makes `store` the blob store of this process until `forgetBlobStore`. */
export function useBlobStore<S extends BlobStore>(store: S): S {
  forgetProcessWide("blob-store");
  processWide("blob-store", () => store);
  return store;
}

/** Restores the configured driver as the blob store. */
export const forgetBlobStore = (): void => forgetProcessWide("blob-store");
