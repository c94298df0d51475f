import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { fail } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import { LocalCache } from "@/lib/storage/local-cache";
import type { BlobHandle, ObjectStore, PutOptions, StoredObject, Stray } from "@/lib/storage/object-store";
import { requireKey } from "@/lib/storage/paths";

const READ_BYTES_MAX = 50_000;

interface Packed {
  gzip: Buffer;
  bytes: number;
  changedAtMs: number;
}

/**
 * A storage driver that the service does not have, and that guarantees as little as a driver may: objects are stored in
 * a different encoding, reads are short, and nothing identifies what is stored.
 */
export class PackedObjects implements ObjectStore {
  readonly #packed = new Map<string, Packed>();
  readonly #cache: LocalCache;

  constructor(cacheFolder: string, cacheBytes: number) {
    this.#cache = new LocalCache(join(cacheFolder, "unpacked"), cacheBytes, (key) => this.open(key));
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
    const packed = this.#packed.get(requireKey(key));
    return packed && { bytes: packed.bytes };
  }

  async open(key: string): Promise<BlobHandle> {
    const packed = this.#packed.get(requireKey(key));
    if (!packed) throw Object.assign(new Error("There is no such object"), { code: "ENOENT" });
    const bytes = gunzipSync(packed.gzip);
    return {
      bytes: bytes.length,
      read: async (buffer, offset, length, position) => {
        const end = position + Math.min(length, READ_BYTES_MAX);
        return { bytesRead: bytes.copy(buffer, offset, Math.min(position, bytes.length), end) };
      },
      identity: () => undefined,
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
    for (const [key, { bytes, changedAtMs }] of this.#packed)
      if (key.startsWith(prefix)) yield { key, bytes, changedAtMs };
  }

  async *strays(): AsyncGenerator<Stray> {}

  async remove(key: string): Promise<void> {
    this.#packed.delete(key);
  }

  async removeAll(prefix: string): Promise<void> {
    for (const key of [...this.#packed.keys()]) if (key.startsWith(prefix)) this.#packed.delete(key);
  }

  /** Stores bytes whose SHA-256 need not be that of their key, as failing storage would. */
  overwrite(key: string, bytes: Buffer): void {
    this.#packed.set(key, { gzip: gzipSync(bytes, { level: 1 }), bytes: bytes.length, changedAtMs: Date.now() });
  }
}
