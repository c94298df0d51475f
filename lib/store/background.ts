import { processWide } from "@/lib/kernel/process-wide";
import { flushUsage } from "./usage-buffer";

const works = (): Set<Promise<void>> => processWide("background-work", () => new Set());

/** Work that no reply waits for; the service does before it stops. */
export function inBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
  const running = works();
  const settled: Promise<void> = work.then(() => undefined, onError).finally(() => running.delete(settled));
  running.add(settled);
}

/** Resolves once all of it is over and the usage of keys is written; rejects when that could not be. */
export async function finishBackground(): Promise<void> {
  await Promise.all(works());
  await flushUsage();
}
