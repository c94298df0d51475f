import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@/lib/kernel/errors";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { sha256Hex } from "@/lib/kernel/sha256";
import { LocalCache } from "@/lib/storage/local-cache";
import type { BlobHandle, ObjectStore, PutOptions, StoredObject, Stray } from "@/lib/storage/object-store";
import { requireKey } from "@/lib/storage/paths";

/** An object as it is held. */
export interface Held {
  /** What `encode` made of its bytes. */
  stored: Buffer;
  bytes: number;
  changedAtMs: number;
  /** Identifies this write, like an object store's ETag and version ID. */
  mark: string;
}

/** A driver whose storage has neither paths nor descriptors, like an object store. */
export class MemoryObjects implements ObjectStore {
  readonly #held = new Map<string, Held>();
  readonly #cache: LocalCache;
  #writes = 0;
  /** How many objects were opened since the start. */
  opened = 0;

  constructor(cacheFolder: string, cacheBytes: number) {
    this.#cache = new LocalCache(join(cacheFolder, "blob-cache"), cacheBytes, (key) => this.open(key));
  }

  async put(
    key: string,
    digest: string,
    fromFile: string,
    { keep = false, copy = false }: PutOptions = {},
  ): Promise<void> {
    const bytes = await readFile(fromFile);
    if (sha256Hex(bytes) !== digest) throw fail("integrity_failure");
    this.overwrite(requireKey(key), bytes);
    if (!keep && !copy) await rm(fromFile);
  }

  async stat(key: string): Promise<{ bytes: number } | undefined> {
    const held = this.#held.get(requireKey(key));
    return held && { bytes: held.bytes };
  }

  async open(key: string): Promise<BlobHandle> {
    const held = this.#held.get(requireKey(key));
    if (!held) throw Object.assign(new Error("There is no such object"), { code: "ENOENT" });
    this.opened += 1;
    return this.handleOf(held);
  }

  protected encode(bytes: Buffer): Buffer {
    return bytes;
  }

  protected handleOf({ stored, bytes, mark, changedAtMs }: Held): BlobHandle {
    return {
      bytes,
      read: async (buffer, offset, length, position) => ({
        bytesRead: stored.copy(buffer, offset, Math.min(position, bytes), position + length),
      }),
      identity: () => ({ mark, changedAtMs }),
      close: async () => undefined,
    };
  }

  withLocalPath<T>(key: string, digest: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.#cache.withPath(requireKey(key), digest, work);
  }

  localFolder(prefix: string): string {
    return this.#cache.folderOf(prefix);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for (const [key, { bytes, changedAtMs }] of this.#held)
      if (key.startsWith(prefix)) yield { key, bytes, changedAtMs };
  }

  async *strays(): AsyncGenerator<Stray> {}

  async remove(key: string): Promise<void> {
    this.#held.delete(key);
  }

  async removeAll(prefix: string): Promise<void> {
    for (const key of [...this.#held.keys()]) if (key.startsWith(prefix)) this.#held.delete(key);
  }

  /** Stores bytes whose SHA-256 need not be that of their key, as failing storage would. */
  overwrite(key: string, bytes: Buffer): void {
    this.#writes += 1;
    const [stored, mark] = [this.encode(bytes), `memory:${this.#writes}`];
    this.#held.set(key, { stored, bytes: bytes.length, changedAtMs: Date.now(), mark });
  }
}

/** Makes `store` the object store of this process until `forgetObjectStore`. */
export function useObjectStore<S extends ObjectStore>(store: S): S {
  forgetProcessWide("object-store");
  processWide("object-store", () => store);
  return store;
}

/** Restores the configured driver as the object store. */
export const forgetObjectStore = (): void => forgetProcessWide("object-store");
