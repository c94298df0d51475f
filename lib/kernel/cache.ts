import { LRUCache } from "lru-cache";
import { processWide } from "./process-wide";

/** How much a cache holds. */
export interface CacheCapacity<V> {
  /** In the unit of `sizeOf`; 0 holds nothing. */
  capacity: number;
  /** The size of an entry. Without it every entry has size 1, so that the capacity is their number. */
  sizeOf?(value: V, key: string): number;
  /** Entries larger than this share of the capacity are not held, since they would evict too many others. */
  largestShare?: number;
}

interface Entry<V> {
  value: V;
  stamp: string;
}

/**
 * THE cache: values by key, the least recently used evicted first. An entry may have a stamp (a generation, the last
 * event): it is found only under that stamp. Values are shared by all callers, so nobody changes them.
 * Example: `const pages = new Cache<Page>({ capacity: 100 }); await pages.get(key, () => render(key))`.
 */
export class Cache<V> {
  readonly #entries: LRUCache<string, Entry<V>> | undefined;
  readonly #pending = new Map<string, Promise<V>>();

  constructor({ capacity, sizeOf = () => 1, largestShare = 1 }: CacheCapacity<V>) {
    if (capacity <= 0) return;
    this.#entries = new LRUCache({
      maxSize: capacity,
      maxEntrySize: Math.max(1, Math.floor(capacity * largestShare)),
      sizeCalculation: ({ value }, key) => sizeOf(value, key),
    });
  }

  find(key: string, stamp = ""): V | undefined {
    const entry = this.#entries?.get(key);
    return entry?.stamp === stamp ? entry.value : undefined;
  }

  /** Returns the value. */
  store(key: string, value: V, stamp = ""): V {
    this.#entries?.set(key, { value, stamp });
    return value;
  }

  /** The stored value, that of a caller who is making it, or what `make` resolves to. A failure is not stored. */
  async get(key: string, make: () => Promise<V>): Promise<V> {
    const known = this.#entries?.get(key);
    return known?.stamp === "" ? known.value : await (this.#pending.get(key) ?? this.#start(key, make));
  }

  /**
   * Like `get`, but a failure for which `isOwn` is true is thrown only to the caller who started the work; callers who
   * only waited for it retry.
   * Example: the first caller's quota is used up, the second's is not.
   */
  async getOwn(key: string, make: () => Promise<V>, isOwn: (error: unknown) => boolean): Promise<V> {
    for (;;) {
      let isMine = false;
      const answer = this.get(key, () => {
        isMine = true;
        return make();
      });
      try {
        return await answer;
      } catch (error) {
        if (isMine || !isOwn(error)) throw error;
      }
    }
  }

  #start(key: string, make: () => Promise<V>): Promise<V> {
    const made = make().then((value) => this.store(key, value));
    this.#pending.set(key, made);
    const end = () => void this.#pending.delete(key);
    made.then(end, end);
    return made;
  }
}

/** The cache of that name, one per process. */
export const processCache = <V>(name: string, capacity: CacheCapacity<V>): Cache<V> =>
  processWide(`cache ${name}`, () => new Cache<V>(capacity));
