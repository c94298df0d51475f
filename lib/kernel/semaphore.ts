/** At most `places` concurrent holders. Others wait, first come, first served. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Runs `work` while holding a slot. If the signal aborts while waiting, gives up the turn and rejects with its
   * reason.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      const enter = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      this.#waiting.push(enter);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
