import type { Failure } from "@/lib/kernel/errors";
import type { Bounds } from "./bounds";
import { timeLeftMs } from "./reading-pace";

/**
 * Tracks how fast a client sends a file. A client slower than the slowest tolerated reader is cut off. Time in which
 * the server does not wait for its bytes is not counted.
 */
export class SendingPace {
  #takenBytes = 0;
  #spentMs = 0;
  #waits = false;
  #stopped: Failure | undefined;
  #rejectNext: ((failure: Failure) => void) | undefined;

  constructor(
    readonly bounds: Pick<Bounds, "idleMs" | "readRate">,
    readonly tooSlow: () => void,
  ) {}

  /** Stops reading the file. Whoever waits for it, or requests more, gets this failure. */
  stop(failure: Failure): void {
    this.#stopped ??= failure;
    this.#rejectNext?.(this.#stopped);
  }

  /** Whether the next chunk is being waited for. If not, the client cannot be the slow side. */
  get waits(): boolean {
    return this.#waits;
  }

  /** Waits for the next chunk; `tooSlow` is called if it takes too long. */
  async next(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
    if (this.#stopped) throw this.#stopped;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    this.#rejectNext = reject;
    this.#waits = true;
    const startedAt = performance.now();
    const pace = { takenBytes: this.#takenBytes, spentMs: this.#spentMs };
    const timer = setTimeout(this.tooSlow, timeLeftMs(pace, 0, this.bounds)).unref();
    try {
      const next = await Promise.race([chunks.next(), stopped]);
      if (!next.done) this.#takenBytes += next.value.length;
      return next;
    } finally {
      this.#waits = false;
      clearTimeout(timer);
      this.#spentMs += performance.now() - startedAt;
    }
  }
}
