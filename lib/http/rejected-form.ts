import type { Endpoint } from "./endpoint";
import { errorPage } from "./error-page";
import { failureOf } from "./failure-of";
import { respondWithFailure } from "./respond";
import { safeCallback } from "./same-origin";
import { NONCE_HEADER } from "./security-headers";

/**
 * How the endpoint of a page's forms reports what cannot be shown on that page (too many requests, too large, no
 * database): for browsers as a page that leads back to the form, for programs in the API's envelope.
 */
export const rejectedForm: NonNullable<Endpoint["rejected"]> = (thrown, { request, ctx }) => {
  const written = respondWithFailure(thrown, ctx, request);
  const nonce = request.headers.get(NONCE_HEADER);
  if (nonce === null || !request.headers.get("accept")?.includes("text/html")) return written;
  const href = safeCallback(request.headers.get("referer"), new URL(ctx.baseUrl).origin);
  const page = errorPage(failureOf(thrown), ctx.requestId, nonce, { href, words: "Back to the form" });
  const headers = new Headers(written.headers);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(request.method === "HEAD" ? null : page, { status: written.status, headers });
};
