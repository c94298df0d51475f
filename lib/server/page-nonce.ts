import type { IncomingMessage } from "node:http";
import { NONCE_HEADER, type RouteHeaders } from "@/lib/http/security-headers";

/** The nonce for one of the listener's own pages; undefined if the client does not accept pages or requests data. */
export function pageNonce(req: IncomingMessage, { isPage, request }: RouteHeaders): string | undefined {
  const takesPages = req.headers.accept?.includes("text/html") === true && req.headers.rsc === undefined;
  return isPage && takesPages ? request[NONCE_HEADER] : undefined;
}
