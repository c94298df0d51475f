import { asService } from "./caller";

/** How a value is renewed. `key` identifies the state that it is made from, and is determined first. */
interface Renewal<T> {
  key: string;
  make(): Promise<T>;
}

/**
 * A cached value of something that changes, kept until its key changes. It is made once at a time: callers who request
 * the key that is being made wait for it, and callers who request a newer key share the next value.
 * Example: `const page = new Renewed(async () => ({ key: await version(), make: render })); await page.get(key)`.
 */
export class Renewed<T> {
  #kept: { key: string; value: T } | undefined;
  #running: { key: string; value: Promise<T> } | undefined;
  #ended: Promise<unknown> | undefined;
  #next: Promise<T> | undefined;

  /** @param onReplaced called with the previous value once it has been replaced. */
  constructor(
    private readonly renewal: () => Promise<Renewal<T>>,
    private readonly onReplaced: (value: T) => void = () => undefined,
  ) {}

  /** The value of this key, or a newer one whose key was determined after the call. */
  get(key: string): Promise<T> {
    if (this.#kept?.key === key) return Promise.resolve(this.#kept.value);
    if (this.#running?.key === key) return this.#running.value;
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#ended;
    this.#next = undefined;
    const made = asService(() => this.#renew());
    this.#ended = made.catch(() => undefined);
    return await made;
  }

  async #renew(): Promise<T> {
    const { key, make } = await this.renewal();
    const before = this.#kept;
    if (before?.key === key) return before.value;
    const running = { key, value: make() };
    this.#running = running;
    try {
      const value = await running.value;
      this.#kept = { key, value };
      if (before) this.onReplaced(before.value);
      return value;
    } finally {
      this.#running = undefined;
    }
  }
}
