import { fail } from "@/lib/errors";

/** Lets a few in at once; others wait in line, and are refused as `busy` after `queueMs`. */
export class Admission {
  readonly #line: (() => void)[] = [];
  #free: number;

  constructor(
    places: number,
    private readonly queueMs: number,
  ) {
    this.#free = places;
  }

  /** Resolves with the function that gives the place back. Throws `busy`, or the signal's reason. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#line.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#line.splice(this.#line.indexOf(admit), 1);
        reject(reason);
      };
      const admit = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => leave(signal?.reason);
      const timer = setTimeout(() => leave(fail("busy", { retryAfterSeconds: 1 })), this.queueMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#line.push(admit);
    });
  }
}
