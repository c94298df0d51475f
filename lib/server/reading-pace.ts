import type { ServerResponse } from "node:http";
import type { Bounds } from "./bounds";

/** How a client has read a reply so far. The server's own time is not counted. */
export interface Pace {
  takenBytes: number;
  spentMs: number;
}

type PaceBounds = Pick<Bounds, "idleMs" | "readRate">;

/**
 * Time that a client has for its next bytes: their own deadline, or less if its average since the start is too slow.
 * Pure.
 */
export function timeLeftMs({ takenBytes, spentMs }: Pace, nextBytes: number, { idleMs, readRate }: PaceBounds): number {
  const own = idleMs + nextBytes / readRate;
  const average = idleMs + (takenBytes + nextBytes) / readRate - spentMs;
  return Math.max(0, Math.min(own, average));
}

/** Cuts the reader of a reply written by the framework if its average is too slow. A slow server cuts no one. */
export function cutSlowReader(res: ServerResponse, bounds: PaceBounds): void {
  const { socket } = res;
  if (!socket) return;
  const start = { at: performance.now(), bytes: socket.bytesWritten };
  const look = () => {
    const takenBytes = Math.max(0, socket.bytesWritten - start.bytes - res.writableLength);
    const left = timeLeftMs({ takenBytes, spentMs: performance.now() - start.at }, 0, bounds);
    // with a reset, since what the kernel holds would otherwise be sent on for hours
    if (left === 0 && res.writableLength > 0) socket.resetAndDestroy();
    else timer = setTimeout(look, Math.max(left, bounds.idleMs)).unref();
  };
  let timer = setTimeout(look, bounds.idleMs).unref();
  res.once("close", () => clearTimeout(timer));
}
