import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { traceIdOf } from "@/lib/kernel/trace-id";
import { whenOver } from "./when-over";

/** Logs one line per request: no query string, no address, no header. */
export function logWhenOver(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  requestId: string,
  logger: Pick<Logger, "info">,
): void {
  const start = performance.now();
  whenOver(req, res, () => {
    const ms = Math.round((performance.now() - start) * 10) / 10;
    logger.info(
      {
        request_id: requestId,
        trace_id: traceIdOf(req.headers.traceparent),
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
