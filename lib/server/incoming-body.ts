import type { IncomingMessage, ServerResponse } from "node:http";
import { type Failure, fail } from "@/lib/kernel/errors";
import type { Bounds } from "./bounds";
import type { Connections } from "./connections";
import { hasBody } from "./request-head";
import { ignoreWrites } from "./response-guard";
import { SendingPace } from "./sending-pace";
import { whenOver } from "./when-over";

/** A body that is a file: it may be larger and take longer than others, at a minimum pace. */
export interface IncomingFile {
  pace: SendingPace;
  /** Called before the first byte is read. */
  onRead(): void;
}

interface Incoming {
  isFile: boolean;
  bytesMax: number;
  connections: Connections;
  rejectWith(failure: Failure): void;
}

/** Bounds the body of a request in bytes and time. Returns how a file is to be read. */
export function boundBody(
  req: IncomingMessage,
  res: ServerResponse,
  bounds: Bounds,
  { isFile, bytesMax, connections, rejectWith }: Incoming,
): IncomingFile | undefined {
  const isAwaited = req.headers.expect?.toLowerCase() === "100-continue";
  const expire = () => connections.expire(req.socket);
  const tooSlow = () => {
    expire();
    pace.stop(fail("invalid_request", { message: "The file arrived too slowly." }));
  };
  const pace = new SendingPace(bounds, tooSlow);
  limitBody(req, bytesMax, () => {
    if (res.headersSent) req.socket.destroy();
    else rejectWith(tooLarge(bytesMax));
    ignoreWrites(res);
    pace.stop(tooLarge(bytesMax)); // the request itself continues until its socket ends
  });
  if (isFile) connections.takesFile(req, pace);
  if (isFile) return { pace, onRead: () => isAwaited && res.writeContinue() };
  if (isAwaited) res.writeContinue();
  limitBodyTime(req, res, bounds.requestMs, expire);
  return undefined;
}

export const tooLarge = (bytesMax: number): Failure =>
  fail("request_too_large", { message: `Request body too large (maximum ${bytesMax} bytes).` });

/**
 * Counts body bytes as the parser delivers them, without buffering or reading ahead. Once the limit is exceeded, calls
 * back and passes nothing further on. The length that the client declared is ignored.
 */
function limitBody(req: IncomingMessage, bytesMax: number, onExcess: () => void): void {
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
function limitBodyTime(req: IncomingMessage, res: ServerResponse, ms: number, onLate: () => void): void {
  if (!hasBody(req)) return;
  const timer = setTimeout(() => {
    if (!req.complete) onLate();
  }, ms).unref();
  whenOver(req, res, () => clearTimeout(timer));
}
