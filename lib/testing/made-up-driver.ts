import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { fail } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { BlobHandle, BlobStore, StoredBlob, Stray } from "@/lib/storage/blob-store";
import { LocalCache } from "@/lib/storage/local-cache";

const READ_BYTES_MAX = 50_000;

interface Packed {
  gzip: Buffer;
  bytes: number;
  changedAtMs: number;
}

/**
 * A storage driver that the service does not have, and that guarantees as little as a driver may: blobs are stored in a
 * different encoding, reads are short, and nothing identifies what is stored.
 */
export class PackedBlobs implements BlobStore {
  readonly #packed = new Map<string, Packed>();
  readonly #cache: LocalCache;

  constructor(cacheFolder: string, cacheBytes: number) {
    this.#cache = new LocalCache(join(cacheFolder, "unpacked"), cacheBytes, (digest) => this.open(digest));
  }

  async put(digest: string, fromFile: string, { keep = false } = {}): Promise<void> {
    const bytes = await readFile(fromFile);
    if (sha256Hex(bytes) !== digest) throw fail("integrity_failure");
    this.overwrite(digest, bytes);
    if (!keep) await rm(fromFile);
  }

  async stat(digest: string): Promise<{ bytes: number } | undefined> {
    const packed = this.#packed.get(digest);
    return packed && { bytes: packed.bytes };
  }

  async open(digest: string): Promise<BlobHandle> {
    const packed = this.#packed.get(digest);
    if (!packed) throw Object.assign(new Error("There is no such blob"), { code: "ENOENT" });
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

  withLocalPath<T>(digest: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.#cache.withPath(digest, work);
  }

  localFolder(): string {
    return this.#cache.folder;
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const [digest, { bytes, changedAtMs }] of this.#packed) yield { digest, bytes, changedAtMs };
  }

  async *strays(): AsyncGenerator<Stray> {}

  async remove(digest: string): Promise<void> {
    this.#packed.delete(digest);
  }

  /** Stores bytes under a digest that need not be theirs, as failing storage would. */
  overwrite(digest: string, bytes: Buffer): void {
    this.#packed.set(digest, { gzip: gzipSync(bytes, { level: 1 }), bytes: bytes.length, changedAtMs: Date.now() });
  }
}
