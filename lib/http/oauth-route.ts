import type { Context } from "@/lib/access/context";
import {
  noteMetadataRequest,
  noteTokenExchange,
  requireAddressQuota,
  requireTokenQuota,
  takeMetadataRequest,
} from "@/lib/access/quotas";
import { Failure, fail } from "@/lib/errors";
import { clientIdOf } from "@/lib/oauth/basic-credentials";
import { type OAuthReply, oauthError } from "@/lib/oauth/oauth-reply";
import type { PostedForm } from "@/lib/oauth/token-endpoint";
import type { Reply } from "@/lib/operations/operation";
import { requestContext } from "./context";
import { preflightHeaders } from "./cors";
import { readBody, readBytes } from "./read-input";
import { respond, respondWithFailure } from "./respond";
import type { Handler } from "./serve";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const ALLOWED = ["POST", "OPTIONS"] as const;
const FORM_MEDIA = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

type Answer<Body> = (body: Body, ctx: Context) => Promise<OAuthReply>;
type Handlers = Record<(typeof METHODS)[number], Handler>;

/**
 * The handlers of an endpoint of the authorization server that takes a form, in the words of RFC 6749 rather than the
 * API's.
 */
export const serveForm = (answer: Answer<PostedForm>): Handlers =>
  handlers(async (request, ctx) => {
    await takeMetadataRequest(ctx);
    return answer(await readForm(request), ctx);
  });

/**
 * The same for the exchange of tokens: what succeeds is counted for the client that it proved, since one address may be
 * that of a hosted agent with many users; what is refused is taken from the address.
 */
export const serveTokens = (answer: Answer<PostedForm>): Handlers =>
  handlers(async (request, ctx) => {
    await requireAddressQuota(ctx);
    const form = await readForm(request).catch((refusal) =>
      takeMetadataRequest(ctx).then(() => Promise.reject(refusal)),
    );
    const clientId = clientIdOf(form);
    await requireTokenQuota(clientId, ctx);
    const reply = await answer(form, ctx);
    if (reply.status === 200) await noteTokenExchange(clientId, ctx);
    else await takeMetadataRequest(ctx);
    return reply;
  });

/** The same for one that takes JSON. */
export const serveJson = (answer: Answer<unknown>): Handlers =>
  handlers(async (request, ctx) => {
    await takeMetadataRequest(ctx);
    return answer(await readBody(request), ctx);
  });

function handlers(answer: (request: Request, ctx: Context) => Promise<OAuthReply>): Handlers {
  const handler: Handler = async (request) => {
    const ctx = requestContext(request);
    try {
      if (request.method === "OPTIONS") {
        await takeMetadataRequest(ctx);
        return new Response(null, { status: 204, headers: preflight(ctx) });
      }
      if (request.method !== "POST") {
        await noteMetadataRequest(ctx);
        throw fail("method_not_allowed", { headers: { allow: ALLOWED.join(", ") } });
      }
      return respond(request, replyOf(await answer(request, ctx)), ctx);
    } catch (thrown) {
      const inOAuth =
        thrown instanceof Failure && thrown.status < 500 && thrown.status !== 405 && thrown.status !== 429;
      return inOAuth
        ? respond(request, replyOf(oauthError("invalid_request", thrown.message)), ctx)
        : respondWithFailure(thrown, ctx, request);
    }
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Handlers;
}

function preflight(ctx: Context): Record<string, string> {
  return {
    ...preflightHeaders(ALLOWED),
    "access-control-allow-headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "x-request-id": ctx.requestId,
  };
}

function replyOf({ status, headers, body }: OAuthReply): Reply {
  if (body === null) return { status, headers: { ...headers }, body: { kind: "none" } };
  return {
    status,
    headers: { ...headers, "content-type": "application/json" },
    body: { kind: "bytes", bytes: Buffer.from(JSON.stringify(body)) },
  };
}

/** The fields of a form. A field that stands twice could be read in two ways (RFC 6749, 3.2). */
async function readForm(request: Request): Promise<PostedForm> {
  if (!FORM_MEDIA.test(request.headers.get("content-type") ?? ""))
    throw fail("invalid_request", { message: "Send a form: application/x-www-form-urlencoded." });
  const sent = new URLSearchParams(new TextDecoder().decode(await readBytes(request)));
  const names = [...sent.keys()];
  if (new Set(names).size < names.length) throw fail("invalid_request", { message: "Send each field once." });
  return {
    fields: new Map([...sent].filter(([, value]) => value !== "")),
    authorization: request.headers.get("authorization"),
  };
}
