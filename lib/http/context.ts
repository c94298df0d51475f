import { randomBytes } from "node:crypto";
import type { Context } from "@/lib/access/context";
import { baseUrl } from "@/lib/kernel/env";
import { readingEngine } from "@/lib/operations/reading/reading-engine";
import { clientAddress } from "./listener-mark";
import { log } from "./log";

/** What a request carries. */
export const requestContext = (request: Request, own: Partial<Pick<Context, "isPersonal" | "door">> = {}): Context => ({
  ...requestContextOf(request.method, request.headers),
  signal: request.signal,
  ...own,
});

/** The same when only the head of the request is available, as in a page. */
export function requestContextOf(method: string, headers: Headers): Context {
  return {
    ...insideContext(headers.get("x-request-id") ?? undefined),
    method,
    door: "http",
    address: clientAddress(headers) ?? undefined,
    header: (name) => headers.get(name),
  };
}

/** The context of an internal call, such as a page's: no credential, no address limit. */
export function insideContext(requestId = `req_${randomBytes(15).toString("base64url")}`): Context {
  const startedAt = performance.now();
  return {
    requestId,
    method: "GET",
    door: "inside",
    address: undefined,
    actor: { kind: "anonymous" },
    membership: undefined,
    baseUrl: baseUrl(),
    elapsedMs: () => performance.now() - startedAt,
    now: () => new Date(),
    header: () => null,
    engine: readingEngine,
    onBackgroundError: (error) => log().error({ request_id: requestId, err: error }, "background work failed"),
    replyHeaders: new Headers(),
    isPersonal: false,
  };
}
