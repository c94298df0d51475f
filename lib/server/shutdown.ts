import { GRACE_MS } from "./bounds";
import type { Listener } from "./listener";

/**
 * SIGTERM and SIGINT: the listener drains, `release` closes what stands behind it, exit 0. A second signal exits at
 * once.
 */
export function shutDownOnSignals(
  listener: Pick<Listener, "close">,
  release: () => Promise<void>,
  graceMs: number = GRACE_MS,
): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await listener.close(graceMs);
    await release();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void stop().catch(() => process.exit(1)));
}
