import { processWide } from "@/lib/kernel/process-wide";
import { flushUsage } from "./usage/usage-buffer";

const works = (): Set<Promise<void>> => processWide("background-work", () => new Set());

/** Starts work that no reply waits for. The service finishes it before it stops. */
export function inBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
  const running = works();
  const settled: Promise<void> = work.then(() => undefined, onError).finally(() => running.delete(settled));
  running.add(settled);
}

/** Resolves once all background work is done and key usage is written; rejects if the usage could not be written. */
export async function finishBackground(): Promise<void> {
  await Promise.all(works());
  await flushUsage();
}
