import type { IncomingHttpHeaders } from "node:http";
import { failureOf } from "./failure-of";
import { setPageFailure } from "./page-status";
import { NONCE_HEADER } from "./security-headers";

/** Nothing is there, no longer, or not right now. Any other failure of a page is our own fault. */
const STATUSES: ReadonlySet<number> = new Set([404, 410, 429, 502, 503, 504]);

/**
 * Notes an error that was thrown while a page was rendered for a request with these headers. The reader learns why if
 * the page's data could not be read, for example because the dataset was withdrawn a moment ago, or because the
 * database is down. The router's own requests get the page's error boundary.
 */
export function recordPageFailure(error: unknown, headers: IncomingHttpHeaders): void {
  const nonce = headers[NONCE_HEADER];
  if (typeof nonce !== "string" || headers.rsc !== undefined) return;
  const failure = failureOf(error);
  if (STATUSES.has(failure.status)) setPageFailure(nonce, failure);
}
