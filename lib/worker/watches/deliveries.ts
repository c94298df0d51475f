import { WATCH_CHANNELS, type WatchChannel } from "@/lib/schemas/watch";
import { deliverNext, LANES, serviceDelivering } from "./deliver";

const EVERY_MS = 1_000;

/**
 * Sends deliveries as they fall due, each channel in lanes of its own; several workers may do so. Returns a stop
 * function, which waits for deliveries in progress until `late` resolves.
 */
export function startDeliveries(onError: (error: unknown) => void): (late: Promise<unknown>) => Promise<void> {
  const control = new AbortController();
  const delivering = serviceDelivering(control.signal, onError);
  const lanes: Record<WatchChannel, Set<Promise<void>>> = { webhook: new Set(), email: new Set() };
  let isStopping = false;
  const drain = async (channel: WatchChannel): Promise<void> => {
    while (!isStopping && (await deliverNext(channel, delivering, () => new Date())));
  };
  const open = (channel: WatchChannel): void => {
    const own = lanes[channel];
    if (own.size >= LANES[channel]) return;
    const lane: Promise<void> = drain(channel)
      .catch(onError)
      .finally(() => own.delete(lane));
    own.add(lane);
  };
  const timer = setInterval(() => WATCH_CHANNELS.forEach(open), EVERY_MS);
  timer.unref();
  return async (late) => {
    isStopping = true;
    clearInterval(timer);
    await Promise.race([Promise.allSettled([...lanes.webhook, ...lanes.email]), late]);
    control.abort();
  };
}
