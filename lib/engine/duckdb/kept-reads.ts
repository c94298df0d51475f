import { LRUCache } from "lru-cache";

/** What a read weighs beside its bytes: the key and the objects around them, measured with 100,000 of one row. */
const OVERHEAD_BYTES = 1024;
/** A read larger than this share of the room would drive out too many others; such reads gain least by it. */
const LARGEST_SHARE = 1 / 16;

/**
 * What reads of immutable versions gave, the least recently used dropped first. Who may read, and how often, is decided
 * before: a hit saves the reading alone.
 */
export class KeptReads<Read extends object> {
  readonly #kept: LRUCache<string, Read> | undefined;

  /** `bytes`: the room; 0 keeps nothing. */
  constructor(bytes: number) {
    if (bytes > 0) this.#kept = new LRUCache({ maxSize: bytes, maxEntrySize: Math.floor(bytes * LARGEST_SHARE) });
  }

  find(key: string): Read | undefined {
    return this.#kept?.get(key);
  }

  /** `bytes`: what the read holds. */
  keep(key: string, read: Read, bytes: number): void {
    this.#kept?.set(key, read, { size: bytes + OVERHEAD_BYTES });
  }
}
