import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { measure, observe } from "@/lib/kernel/telemetry";
import { deliveryLags } from "@/lib/store/news/deliveries";
import { queueStates } from "@/lib/store/runs/jobs";

/** The names of `performance`'s kinds of garbage collection. */
const GC_TYPES: Readonly<Record<number, string>> = { 1: "minor", 2: "minor", 4: "major", 8: "incremental" };
/** What the types of `PerformanceEntry` leave out. */
type GarbageCollection = PerformanceEntry & { detail?: { kind?: number } };

const QUANTILES = [50, 99] as const;
const NANOSECONDS = 1e9;

/** Begins to observe this process, the queues and the deliveries. Returns a function that ends it. */
export function observeProcess(): () => void {
  observe("memory", () => [[process.memoryUsage.rss()]]);
  observe("heap", () => [[process.memoryUsage().heapUsed]]);
  observe("jobs", async () =>
    (await queueStates()).flatMap(({ queue, waiting, active }) => [
      [waiting, { queue, state: "waiting" }],
      [active, { queue, state: "active" }],
    ]),
  );
  observe("jobAge", async () => (await queueStates()).map(({ queue, oldestSeconds }) => [oldestSeconds, { queue }]));
  observe("deliveryLag", async () =>
    (await deliveryLags(new Date())).map(({ channel, seconds }) => [seconds, { channel }]),
  );
  const delay = monitorEventLoopDelay();
  delay.enable();
  observe("loopDelay", () => {
    const readings = QUANTILES.map(
      (quantile) => [delay.percentile(quantile) / NANOSECONDS, { quantile: `p${quantile}` }] as const,
    );
    delay.reset();
    return readings;
  });
  const collections = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as GarbageCollection[])
      measure("garbage", entry.duration / 1000, { gc_type: GC_TYPES[entry.detail?.kind ?? 0] ?? "other" });
  });
  collections.observe({ entryTypes: ["gc"] });
  return () => {
    collections.disconnect();
    delay.disable();
  };
}
