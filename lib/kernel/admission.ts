import { fail } from "./errors";

/** Limit per caller, however many slots are free, so that another caller soon gets one. */
const RUNNING_EACH_MAX = 2;

const spread = (ms: number): number => ms * (0.75 + Math.random() / 2);

interface Lane {
  running: number;
  waiting: (() => void)[];
}

export interface AdmissionOptions {
  slots: number;
  /** How long a caller waits. */
  queueMs: number;
  /** At most this many slots for one caller, and never more than half of them. */
  eachMax?: number;
}

/**
 * Admits a few concurrent holders of something that strangers share, of each caller at most half of the slots and,
 * unless stated otherwise, never more than two. The others wait: a free slot goes to the caller whose last turn was
 * longest ago and, within one caller, first come, first served. Whoever waits longer than `queueMs` fails with `busy`.
 * The limit varies at random by up to a quarter; otherwise requests that arrived together would be rejected together,
 * be retried together, and delay whatever else is requested then.
 */
export class Admission {
  /** Callers with a waiting request, the one whose last turn is longest ago first. */
  readonly #lanes = new Map<string, Lane>();
  readonly #eachMax: number;
  readonly #queueMs: number;
  #free: number;

  constructor({ slots, queueMs, eachMax = RUNNING_EACH_MAX }: AdmissionOptions) {
    this.#free = slots;
    this.#queueMs = queueMs;
    this.#eachMax = Math.min(eachMax, Math.max(1, Math.floor(slots / 2)));
  }

  /** Runs `work` while holding a slot. Throws `busy`, or the signal's reason, if it gets none. */
  async run<T>(subject: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(subject, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves with the function that releases the slot. Throws `busy`, or the signal's reason. */
  async enter(subject: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    await this.#wait(subject, signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#free += 1;
      this.#laneOf(subject).running -= 1;
      this.#admitNext();
      this.#forgetIdle(subject);
    };
  }

  #wait(subject: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const { waiting } = this.#laneOf(subject);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const leave = (reason: unknown) => {
        settle();
        waiting.splice(waiting.indexOf(admit), 1);
        this.#forgetIdle(subject);
        reject(reason);
      };
      const admit = () => {
        settle();
        resolve();
      };
      const onAbort = () => leave(signal?.reason);
      const timer = setTimeout(() => leave(fail("busy", { retryAfterSeconds: 1 })), spread(this.#queueMs));
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.push(admit);
      this.#admitNext();
    });
  }

  /** Assigns free slots while a waiting caller may take one. */
  #admitNext(): void {
    for (const [subject, lane] of this.#lanes) {
      if (this.#free === 0) return;
      if (lane.running >= this.#eachMax) continue;
      const next = lane.waiting.shift();
      if (!next) continue;
      this.#free -= 1;
      lane.running += 1;
      this.#lanes.delete(subject);
      this.#lanes.set(subject, lane); // to the end of the queue; this loop reaches it again if it may have another slot
      next();
    }
  }

  #laneOf(subject: string): Lane {
    const lane = this.#lanes.get(subject) ?? { running: 0, waiting: [] };
    this.#lanes.set(subject, lane);
    return lane;
  }

  #forgetIdle(subject: string): void {
    const lane = this.#lanes.get(subject);
    if (lane && lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(subject);
  }
}
