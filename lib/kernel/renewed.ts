/** How a value is made anew: the key of the state that it will be of, which is found out first. */
interface Renewal<T> {
  key: string;
  make(): Promise<T>;
}

/**
 * A value of something that changes, kept until its key is another one. It is made by one caller at a time; whoever
 * asks for what is being made waits for it, and whoever asks for something newer shares the next one.
 * Example: `const page = new Renewed(async () => ({ key: await version(), make: render })); await page.get(key)`.
 */
export class Renewed<T> {
  #kept: { key: string; value: T } | undefined;
  #running: { key: string; value: Promise<T> } | undefined;
  #ended: Promise<unknown> | undefined;
  #next: Promise<T> | undefined;

  /** @param onReplaced what is done with a value once another one has taken its place. */
  constructor(
    private readonly renewal: () => Promise<Renewal<T>>,
    private readonly onReplaced: (value: T) => void = () => undefined,
  ) {}

  /** The value of this key, or a newer one, whose key was found out after the call. */
  get(key: string): Promise<T> {
    if (this.#kept?.key === key) return Promise.resolve(this.#kept.value);
    if (this.#running?.key === key) return this.#running.value;
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#ended;
    this.#next = undefined;
    const made = this.#renew();
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
