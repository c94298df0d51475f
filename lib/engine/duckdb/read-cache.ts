import { LRUCache } from "lru-cache";

/**
 * What a read takes in addition to its bytes: the key and the surrounding objects, measured with 100,000 of one row.
 */
const OVERHEAD_BYTES = 1024;
/**
 * A read larger than this share of the capacity would evict too many others, and large reads gain least from caching.
 */
const LARGEST_SHARE = 1 / 16;

/**
 * A cache of the results of reads of immutable versions, the least recently used evicted first. Who may read, and how
 * often, is decided before the lookup: a hit saves only the read.
 */
export class ReadCache<Read extends object> {
  readonly #kept: LRUCache<string, Read> | undefined;

  /** `bytes`: the capacity; 0 keeps nothing. */
  constructor(bytes: number) {
    if (bytes > 0) this.#kept = new LRUCache({ maxSize: bytes, maxEntrySize: Math.floor(bytes * LARGEST_SHARE) });
  }

  find(key: string): Read | undefined {
    return this.#kept?.get(key);
  }

  /** `bytes`: the size of the read. */
  keep(key: string, read: Read, bytes: number): void {
    this.#kept?.set(key, read, { size: bytes + OVERHEAD_BYTES });
  }
}
