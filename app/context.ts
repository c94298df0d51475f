import "server-only";
import { randomBytes } from "node:crypto";
import { baseUrl } from "@/lib/env";
import { log } from "@/lib/http/log";
import type { Context } from "@/lib/operations/operation";
import { readingEngine } from "@/lib/operations/reading-engine";

/** The context in which a page runs operations: nobody's key, no address limit. */
export function pageContext(): Context {
  const requestId = `req_${randomBytes(15).toString("base64url")}`;
  return {
    requestId,
    method: "GET",
    address: undefined,
    key: undefined,
    baseUrl: baseUrl(),
    startedAt: performance.now(),
    now: () => new Date(),
    header: () => null,
    engine: readingEngine,
    onBackgroundError: (error) => log().error({ request_id: requestId, err: error }, "background work failed"),
    replyHeaders: new Headers(),
  };
}
