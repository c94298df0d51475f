import { deliverNext, serviceDelivering } from "./deliver";

const EVERY_MS = 1_000;
const LANES_MAX = 4;

/**
 * Sends deliveries as they fall due, at most four at once; several workers may do so. Returns a stop function, which
 * waits for deliveries in progress until `late` resolves.
 */
export function startDeliveries(onError: (error: unknown) => void): (late: Promise<unknown>) => Promise<void> {
  const control = new AbortController();
  const delivering = serviceDelivering(control.signal, onError);
  const lanes = new Set<Promise<void>>();
  let isStopping = false;
  const drain = async (): Promise<void> => {
    while (!isStopping && (await deliverNext(delivering, () => new Date())));
  };
  const timer = setInterval(() => {
    if (lanes.size >= LANES_MAX) return;
    const lane: Promise<void> = drain()
      .catch(onError)
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }, EVERY_MS);
  timer.unref();
  return async (late) => {
    isStopping = true;
    clearInterval(timer);
    await Promise.race([Promise.allSettled(lanes), late]);
    control.abort();
  };
}
