import { STOP_SIGNALS } from "@/lib/kernel/stop-signals";
import { GRACE_MS } from "./bounds";
import type { Listener } from "./listener";

/** One Ctrl+C, or one `kill` of a process group, arrives twice if a parent such as npm forwards it. */
const SAME_MS = 1_000;

/**
 * On SIGTERM, SIGHUP and SIGINT: the listener drains, `release` closes the rest, exit 0. Except after Ctrl+C, it first
 * goes on serving for `delayMs`, so that load balancers notice in time. A second signal exits immediately, but the same
 * signal within a second is a duplicate and ignored.
 */
export function shutDownOnSignals(
  listener: Pick<Listener, "close">,
  release: () => Promise<void>,
  { delayMs, graceMs = GRACE_MS }: { delayMs: number; graceMs?: number },
): void {
  let first: { signal: NodeJS.Signals; atMs: number } | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    const atMs = performance.now();
    if (first?.signal === signal && atMs - first.atMs < SAME_MS) return;
    if (first) process.exit(1);
    first = { signal, atMs };
    await listener.close(graceMs, signal === "SIGINT" ? 0 : delayMs);
    await release();
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, () => void stop(signal).catch(() => process.exit(1)));
}
