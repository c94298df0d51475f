import { Failure } from "@/lib/kernel/errors";
import { SharedRun } from "@/lib/kernel/shared-run";

/**
 * Answers that never change: each is computed once for all callers and cached. The work stops when the last waiting
 * caller has disconnected. One that timed out is cached as a failure for `timeoutKeptMs`, so that asking again does not
 * take the same time again; any other failure is not cached.
 */
export class SharedAnswers<T> {
  readonly #kept = new Map<string, SharedRun<T>>();

  constructor(
    private readonly keptMax: number,
    private readonly timeoutKeptMs: number,
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
      this.#keep(name, shared);
      try {
        return await shared.wait(signal);
      } catch (error) {
        if (!known || !(error instanceof Failure) || error.code !== "busy") throw error;
      }
    }
  }

  #find(name: string): SharedRun<T> | undefined {
    const known = this.#kept.get(name);
    return known?.isStopped ? undefined : known;
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
    const shared = new SharedRun(work);
    shared.answer.catch((error: unknown) => {
      const tookTooLong = error instanceof Failure && error.code === "query_timeout";
      if (tookTooLong) setTimeout(() => this.#forget(name, shared), this.timeoutKeptMs).unref();
      else this.#forget(name, shared);
    });
    return shared;
  }

  /** Stored as the most recently used, which is evicted last. */
  #keep(name: string, shared: SharedRun<T>): void {
    this.#kept.delete(name);
    this.#kept.set(name, shared);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  #forget(name: string, shared: SharedRun<T>): void {
    if (this.#kept.get(name) === shared) this.#kept.delete(name);
  }
}
