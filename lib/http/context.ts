import { randomBytes } from "node:crypto";
import { baseUrl } from "@/lib/env";
import type { Context } from "@/lib/operations/operation";
import { readingEngine } from "@/lib/operations/reading-engine";
import { clientAddress } from "./listener-mark";
import { log } from "./log";

/** What a request brings along. */
export function requestContext(request: Request): Context {
  return {
    ...insideContext(request.headers.get("x-request-id") ?? undefined),
    method: request.method,
    address: clientAddress(request.headers) ?? undefined,
    signal: request.signal,
    header: (name) => request.headers.get(name),
  };
}

/** The context of a call from inside, such as a page's: nobody's key, no address limit. */
export function insideContext(requestId = `req_${randomBytes(15).toString("base64url")}`): Context {
  return {
    requestId,
    method: "GET",
    address: undefined,
    key: undefined,
    session: undefined,
    membership: undefined,
    baseUrl: baseUrl(),
    startedAt: performance.now(),
    now: () => new Date(),
    header: () => null,
    engine: readingEngine,
    onBackgroundError: (error) => log().error({ request_id: requestId, err: error }, "background work failed"),
    replyHeaders: new Headers(),
    isPersonal: false,
  };
}
