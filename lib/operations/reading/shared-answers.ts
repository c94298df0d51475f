import { Failure } from "@/lib/kernel/errors";

interface Shared<T> {
  answer: Promise<T>;
  controller: AbortController;
  /** Number of callers still waiting for it. */
  waiting: number;
}

/**
 * Answers that never change: each is computed once for all callers and cached. The work stops when the last waiting
 * caller has disconnected. One that timed out is cached as a failure for `timeoutKeptMs`, so that asking again does not
 * cost the same time again; any other failure is not cached.
 */
export class SharedAnswers<T> {
  readonly #kept = new Map<string, Shared<T>>();

  constructor(
    private readonly keptMax: number,
    private readonly timeoutKeptMs: number,
  ) {}

  /**
   * The answer of that name. Throws what the work throws, or the signal's reason. A `busy` is that of the caller who
   * started the work: whoever only waited for it starts their own.
   */
  async get(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const known = this.#kept.get(name);
      const shared = known ?? this.#start(name, work);
      this.#keep(name, shared);
      try {
        return await this.#wait(name, shared, signal);
      } catch (error) {
        if (!known || !(error instanceof Failure) || error.code !== "busy") throw error;
      }
    }
  }

  #wait(name: string, shared: Shared<T>, signal?: AbortSignal): Promise<T> {
    shared.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        this.#leave(name, shared, signal?.reason);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle = () => signal?.removeEventListener("abort", onAbort);
      shared.answer.finally(settle).then(resolve, reject);
    });
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const controller = new AbortController();
    const shared = { answer: work(controller.signal), controller, waiting: 0 };
    shared.answer.catch((error: unknown) => {
      const tookTooLong = error instanceof Failure && error.code === "query_timeout";
      if (tookTooLong) setTimeout(() => this.#forget(name, shared), this.timeoutKeptMs).unref();
      else this.#forget(name, shared);
    });
    return shared;
  }

  /** As the most recently used, which is evicted last. */
  #keep(name: string, shared: Shared<T>): void {
    this.#kept.delete(name);
    this.#kept.set(name, shared);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  #leave(name: string, shared: Shared<T>, reason: unknown): void {
    shared.waiting -= 1;
    if (shared.waiting > 0) return;
    this.#forget(name, shared);
    shared.controller.abort(reason);
  }

  #forget(name: string, shared: Shared<T>): void {
    if (this.#kept.get(name) === shared) this.#kept.delete(name);
  }
}
