import { Failure } from "@/lib/kernel/errors";
import { SharedRun } from "@/lib/kernel/shared-run";

/** What becomes of answers that are more than a place in memory. */
interface Kept<T> {
  /** In the unit of the capacity; without it, every answer has size 1. */
  sizeOf(answer: T): number;
  /** Called once for an answer that is no longer kept. */
  dropped(answer: T): void;
}

interface Entry<T> {
  run: SharedRun<T>;
  size: number;
}

/**
 * Answers that never change: each is computed once for all callers and cached, the least recently used dropped first.
 * The work stops when the last waiting caller has disconnected. One that timed out is cached as a failure for
 * `timeoutCachedMs`, so that the next call does not take the same time again; any other failure is not cached.
 */
export class SharedAnswers<T> {
  readonly #entries = new Map<string, Entry<T>>();

  constructor(
    private readonly capacity: number,
    private readonly timeoutCachedMs: number,
    private readonly kept?: Kept<T>,
  ) {}

  /**
   * The answer of that name. Throws what the work throws, or the signal's reason. A `busy` is that of the caller who
   * started the work: callers who only waited for it start their own.
   */
  async get(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const known = this.#find(name);
      const entry = known ?? this.#start(name, work);
      this.#store(name, entry);
      try {
        return await entry.run.wait(signal);
      } catch (error) {
        if (!known || !(error instanceof Failure) || error.code !== "busy") throw error;
      }
    }
  }

  /** Drops the answer of that name, so that the next call computes it again. */
  drop(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    const { kept } = this;
    if (kept) entry.run.answer.then((answer) => kept.dropped(answer)).catch(() => undefined);
  }

  #find(name: string): Entry<T> | undefined {
    const known = this.#entries.get(name);
    return known?.run.isStopped ? undefined : known;
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const { kept } = this;
    const entry = { run: new SharedRun(work), size: kept ? 0 : 1 };
    const forget = () => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    entry.run.answer.then(
      (answer) => {
        if (kept) entry.size = kept.sizeOf(answer);
        this.#trim();
      },
      (error: unknown) => {
        const tookTooLong = error instanceof Failure && error.code === "query_timeout";
        if (tookTooLong) setTimeout(forget, this.timeoutCachedMs).unref();
        else forget();
      },
    );
    return entry;
  }

  /** Stored as the most recently used, which is dropped last. */
  #store(name: string, entry: Entry<T>): void {
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    this.#trim();
  }

  #trim(): void {
    let size = [...this.#entries.values()].reduce((sum, entry) => sum + entry.size, 0);
    for (const [name, entry] of [...this.#entries].slice(0, -1)) {
      if (size <= this.capacity) return;
      if (entry.size === 0) continue;
      size -= entry.size;
      this.drop(name);
    }
  }
}
