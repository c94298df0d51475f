import { LRUCache } from "lru-cache";

/**
 * Promises by key, the least recently used forgotten first. Whoever asks while one is pending waits for the same one;
 * one that rejects is forgotten, so that the next caller tries again.
 * Example: `const pages = new PromiseCache<Page>(100); await pages.get(key, () => render(key))`.
 */
export class PromiseCache<V> {
  readonly #kept: LRUCache<string, Promise<V>>;

  /** `most`: how many are kept. */
  constructor(most: number) {
    this.#kept = new LRUCache({ max: most });
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
