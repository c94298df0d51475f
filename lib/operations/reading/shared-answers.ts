import { Failure } from "@/lib/kernel/errors";
import { SharedRun } from "@/lib/kernel/shared-run";

/**
 * Answers that never change: each is computed once for all callers and cached. The work stops when the last waiting
 * caller has disconnected. One that timed out is cached as a failure for `timeoutCachedMs`, so that the next call does
 * not take the same time again; any other failure is not cached.
 */
export class SharedAnswers<T> {
  readonly #runs = new Map<string, SharedRun<T>>();

  constructor(
    private readonly capacity: number,
    private readonly timeoutCachedMs: number,
  ) {}

  /**
   * The answer of that name. Throws what the work throws, or the signal's reason. A `busy` is that of the caller who
   * started the work: callers who only waited for it start their own.
   */
  async get(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const known = this.#find(name);
      const shared = known ?? this.#start(name, work);
      this.#store(name, shared);
      try {
        return await shared.wait(signal);
      } catch (error) {
        if (!known || !(error instanceof Failure) || error.code !== "busy") throw error;
      }
    }
  }

  #find(name: string): SharedRun<T> | undefined {
    const known = this.#runs.get(name);
    return known?.isStopped ? undefined : known;
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
    const shared = new SharedRun(work);
    shared.answer.catch((error: unknown) => {
      const tookTooLong = error instanceof Failure && error.code === "query_timeout";
      if (tookTooLong) setTimeout(() => this.#forget(name, shared), this.timeoutCachedMs).unref();
      else this.#forget(name, shared);
    });
    return shared;
  }

  /** Stored as the most recently used, which is evicted last. */
  #store(name: string, shared: SharedRun<T>): void {
    this.#runs.delete(name);
    this.#runs.set(name, shared);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > this.capacity && oldest !== undefined) this.#runs.delete(oldest);
  }

  #forget(name: string, shared: SharedRun<T>): void {
    if (this.#runs.get(name) === shared) this.#runs.delete(name);
  }
}
