import { LRUCache } from "lru-cache";

/**
 * Promises by key, the least recently used evicted first. Callers share a pending promise. One that rejects is
 * discarded, so that the next caller tries again.
 * Example: `const pages = new PromiseCache<Page>(100); await pages.get(key, () => render(key))`.
 */
export class PromiseCache<V> {
  readonly #kept: LRUCache<string, Promise<V>>;

  /** `most`: the capacity. */
  constructor(most: number) {
    this.#kept = new LRUCache({ max: most });
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

  get(key: string, make: () => Promise<V>): Promise<V> {
    const known = this.#kept.get(key);
    if (known) return known;
    const made = make();
    this.#kept.set(key, made);
    made.catch(() => {
      if (this.#kept.peek(key) === made) this.#kept.delete(key);
    });
    return made;
  }
}
