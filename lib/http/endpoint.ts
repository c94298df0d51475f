import type { Context } from "@/lib/access/context";
import { countMetadataRequest, takeMetadataRequest } from "@/lib/access/quotas";
import { fail } from "@/lib/kernel/errors";
import type { HttpMethod } from "@/lib/operations/operation";
import { requestContext } from "./context";
import { preflightHeaders } from "./cors";
import { respondWithFailure } from "./respond";

/** Values of the path's `{names}`, decoded. */
export type PathParams = Readonly<Record<string, string>>;

/** One request to an endpoint that supports its method. */
export interface Call {
  request: Request;
  params: PathParams;
  ctx: Context;
}

/** The endpoint at one path. HEAD is answered wherever GET is, unless it is hosted. */
export interface Endpoint {
  answers: Readonly<Partial<Record<HttpMethod, (call: Call) => Promise<Response> | Response>>>;
  /** For the service's own pages: no CORS, and replies are not cached. */
  isPersonal?: boolean;
  /** Methods whose body is a file. The listener accepts a larger body for these, over a longer time. */
  takesFile?: readonly HttpMethod[];
  /**
   * For subscribers' programs, which are limited by their keys: HEAD is rejected, and nothing counts against the
   * address.
   */
  isHosted?: boolean;
  /**
   * Headers of a preflight in addition to those of every endpoint; null if OPTIONS is rejected like any other method.
   */
  preflight?: Readonly<Record<string, string>> | null;
  /** How an error is written; the API's envelope if absent. */
  rejected?(thrown: unknown, call: Omit<Call, "params">): Response;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** THE shell of every endpoint: context, preflight, method, reply, error. Never throws. */
export async function answerAt(endpoint: Endpoint, request: Request, params: PathParams): Promise<Response> {
  const ctx = requestContext(request, { isPersonal: endpoint.isPersonal === true });
  const allowed = methodsOf(endpoint);
  try {
    if (request.method === "OPTIONS" && endpoint.preflight !== null) {
      if (!endpoint.isHosted) await takeMetadataRequest(ctx);
      return preflight(endpoint, allowed, ctx);
    }
    const answer = endpoint.answers[methodOf(request.method, endpoint) as HttpMethod];
    if (!answer) {
      if (!endpoint.isHosted) await countMetadataRequest(ctx);
      throw fail("method_not_allowed", { headers: { allow: allowed.join(", ") } });
    }
    return await answer({ request, params, ctx });
  } catch (thrown) {
    return endpoint.rejected?.(thrown, { request, ctx }) ?? respondWithFailure(thrown, ctx, request);
  }
}

/** The method whose answer a request gets. */
const methodOf = (method: string, { isHosted }: Endpoint): string => (method === "HEAD" && !isHosted ? "GET" : method);

/** The methods that an endpoint answers, for the Allow header. */
export const methodsOf = (endpoint: Endpoint): string[] =>
  METHODS.filter((method) =>
    method === "OPTIONS"
      ? endpoint.preflight !== null
      : endpoint.answers[methodOf(method, endpoint) as HttpMethod] !== undefined,
  );

function preflight({ isPersonal, preflight: own = {} }: Endpoint, allowed: string[], ctx: Context): Response {
  const headers = isPersonal ? { allow: allowed.join(", ") } : { ...preflightHeaders(allowed), ...own };
  return new Response(null, { status: 204, headers: { ...headers, "x-request-id": ctx.requestId } });
}

/** Replies not_found in the envelope, for every path under /api without an endpoint. */
export async function unknownPath(request: Request): Promise<Response> {
  const ctx = requestContext(request);
  try {
    await takeMetadataRequest(ctx);
    throw fail("not_found");
  } catch (thrown) {
    return respondWithFailure(thrown, ctx, request);
  }
}
