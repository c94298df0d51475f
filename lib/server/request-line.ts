import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { PROBES } from "@/lib/http/probes";
import { traceIdOf } from "@/lib/kernel/trace-id";
import { whenOver } from "./when-over";

/**
 * Logs one line per request: no query string, no address, no header. Probes that succeed, of which there are many, are
 * logged at debug.
 */
export function logWhenOver(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  { requestId, traceId = traceIdOf(req.headers.traceparent) }: { requestId: string; traceId?: string | undefined },
  logger: Pick<Logger, "debug" | "info">,
): void {
  const start = performance.now();
  whenOver(req, res, () => {
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const level = Object.hasOwn(PROBES, path) && res.statusCode < 400 ? "debug" : "info";
    logger[level](
      {
        request_id: requestId,
        trace_id: traceId,
        method: req.method,
        path,
        status: res.statusCode,
        ms,
        ...(!res.writableFinished && { cut: true }),
      },
      "request",
    );
  });
}
