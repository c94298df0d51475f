interface Waiter {
  bytes: number;
  admit: () => void;
}

/**
 * Memory that aggregates hold outside DuckDB's limit. All running queries together get at most `bytesMax` of it; those
 * that do not fit wait, first come, first served.
 */
export class ReservedMemory {
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(readonly bytesMax: number) {
    this.#free = bytesMax;
  }

  /** Resolves with the function that releases the memory. Throws the signal's reason. `bytes`: at most `bytesMax`. */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    await this.#wait(bytes, signal);
    let reserved = bytes;
    return () => {
      this.#free += reserved;
      reserved = 0;
      this.#admitNext();
    };
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        bytes,
        admit: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
        this.#admitNext();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#admitNext();
    });
  }

  #admitNext(): void {
    for (let [next] = this.#waiting; next && next.bytes <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.admit();
    }
  }
}
