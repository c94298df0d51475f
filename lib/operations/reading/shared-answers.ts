import { Failure } from "@/lib/kernel/errors";

interface Shared<T> {
  answer: Promise<T>;
  controller: AbortController;
  /** Who still waits for it. */
  waiting: number;
}

/**
 * Answers that never change: each is worked out once for all who ask, and kept for those who ask later. The work stops
 * when the last who waits has gone. One that took too long is kept for `timeoutKeptMs` as its failure, so that asking
 * again does not cost the same time again; any other failure is forgotten at once.
 */
export class SharedAnswers<T> {
  readonly #kept = new Map<string, Shared<T>>();

  constructor(
    private readonly keptMax: number,
    private readonly timeoutKeptMs: number,
  ) {}

  /** The answer of that name. Throws what the work throws, or the signal's reason. */
  async get(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const shared = this.#kept.get(name) ?? this.#start(name, work);
    this.#keep(name, shared);
    shared.waiting += 1;
    return await new Promise<T>((resolve, reject) => {
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

  /** As the latest asked for, which is the last to be forgotten. */
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
