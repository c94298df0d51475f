const AT_ONCE = 2;
const STARTS_SECOND = 10;

interface Host {
  inFlight: number;
  /** Earliest time of the next start, in milliseconds of the clock. */
  nextAtMs: number;
  waiting: (() => void)[];
}

/** Rate limits of one process: at most two concurrent requests and ten starts per second for each host. */
export class HostTurns {
  private readonly hosts = new Map<string, Host>();
  private readonly clock: () => number;
  private readonly wait: (ms: number) => Promise<void>;

  constructor(clock: () => number, wait: (ms: number) => Promise<void>) {
    this.clock = clock;
    this.wait = wait;
  }

  /** Resolves when it is this request's turn, with the function that ends it. */
  async take(name: string): Promise<() => void> {
    const host = this.hosts.get(name) ?? { inFlight: 0, nextAtMs: 0, waiting: [] };
    this.hosts.set(name, host);
    if (host.inFlight >= AT_ONCE) await new Promise<void>((resolve) => host.waiting.push(resolve));
    else host.inFlight += 1;
    const now = this.clock();
    const start = Math.max(now, host.nextAtMs);
    host.nextAtMs = start + 1000 / STARTS_SECOND;
    if (start > now) await this.wait(start - now);
    return () => this.end(name, host);
  }

  /** A slot passes to the request that has waited longest. */
  private end(name: string, host: Host): void {
    const next = host.waiting.shift();
    if (next) {
      next();
      return;
    }
    host.inFlight -= 1;
    if (host.inFlight === 0 && host.nextAtMs <= this.clock()) this.hosts.delete(name);
  }
}
