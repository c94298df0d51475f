/**
 * Work that several callers wait for. It is stopped only when the last of them has left.
 * Example: `const run = new SharedRun((signal) => read(signal)); await Promise.all([run.wait(one), run.wait(two)])`.
 */
export class SharedRun<T> {
  readonly #stopping = new AbortController();
  #waiting = 0;
  /** The result of the work, independent of any caller's signal. */
  readonly answer: Promise<T>;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.answer = work(this.#stopping.signal);
    this.answer.catch(() => undefined);
  }

  /** Whether all callers left before it ended. Nobody can wait for it any longer. */
  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The answer. Throws what the work throws, or the signal's reason. */
  wait(signal?: AbortSignal): Promise<T> {
    this.#waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        this.#leave(signal?.reason);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle = () => signal?.removeEventListener("abort", onAbort);
      this.answer.finally(settle).then(resolve, reject);
      if (signal?.aborted) onAbort();
    });
  }

  #leave(reason: unknown): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stopping.abort(reason);
  }
}

/** Running work, by name. */
export class SharedRuns<T> {
  readonly #running = new Map<string, SharedRun<T>>();

  find(name: string): SharedRun<T> | undefined {
    const run = this.#running.get(name);
    return run?.isStopped ? undefined : run;
  }

  /** Makes it available to `find` until it has ended. */
  share(name: string, run: SharedRun<T>): void {
    this.#running.set(name, run);
    const end = () => {
      if (this.#running.get(name) === run) this.#running.delete(name);
    };
    run.answer.then(end, end);
  }
}
