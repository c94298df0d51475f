import type { IncomingMessage, ServerResponse } from "node:http";
import { hasBody } from "./request-head";
import { whenOver } from "./when-over";

/**
 * Counts body bytes as the parser delivers them, without buffering or reading ahead. Once the limit is exceeded, calls
 * back and passes nothing further on. The length that the client declared is ignored.
 */
export function limitBody(req: IncomingMessage, bytesMax: number, onExcess: () => void): void {
  const push = req.push.bind(req);
  let seen = req.readableLength; // what arrived while the request waited for its turn
  if (seen > bytesMax) onExcess();
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (seen > bytesMax) return true;
    seen += chunk?.length ?? 0;
    if (seen <= bytesMax) return push(chunk, encoding);
    onExcess();
    return true;
  };
}

/** Calls back if the body has not arrived completely in time. */
export function limitBodyTime(req: IncomingMessage, res: ServerResponse, ms: number, onLate: () => void): void {
  if (!hasBody(req)) return;
  const timer = setTimeout(() => {
    if (!req.complete) onLate();
  }, ms).unref();
  whenOver(req, res, () => clearTimeout(timer));
}
