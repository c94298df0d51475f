import type { Context } from "@/lib/access/context";
import { noteMetadataRequest, takeMetadataRequest } from "@/lib/access/quotas";
import { fail } from "@/lib/errors";
import { requestContext } from "./context";
import { preflightHeaders } from "./cors";
import { cacheableReply, respond, respondWithFailure } from "./respond";
import type { Handler } from "./serve";

const METHODS = ["GET", "HEAD", "OPTIONS"] as const;
const REFUSED = ["POST", "PUT", "PATCH", "DELETE"] as const;

type Content = string | Uint8Array;
type Method = (typeof METHODS)[number] | (typeof REFUSED)[number];

/** The handlers of a read-only document that is no operation: public, cacheable, with a strong tag. */
export function serveDocument(
  mediaType: string,
  write: (path: Record<string, string>, ctx: Context) => Promise<Content> | Content,
): Record<Method, Handler> {
  const handler: Handler = async (request, route) => {
    const ctx = requestContext(request);
    try {
      if (request.method === "OPTIONS") {
        await takeMetadataRequest(ctx);
        const headers = { ...preflightHeaders(METHODS), "x-request-id": ctx.requestId };
        return new Response(null, { status: 204, headers });
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        await noteMetadataRequest(ctx);
        throw fail("method_not_allowed", { headers: { allow: METHODS.join(", ") } });
      }
      await takeMetadataRequest(ctx);
      return respond(request, cacheableReply(await write((await route.params) ?? {}, ctx), mediaType, ctx), ctx);
    } catch (thrown) {
      return respondWithFailure(thrown, ctx, request);
    }
  };
  return Object.fromEntries([...METHODS, ...REFUSED].map((method) => [method, handler])) as Record<Method, Handler>;
}
