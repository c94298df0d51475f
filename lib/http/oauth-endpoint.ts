import type { Context } from "@/lib/access/context";
import { countTokenExchange, requireAddressQuota, requireTokenQuota, takeMetadataRequest } from "@/lib/access/quotas";
import { Failure, fail } from "@/lib/kernel/errors";
import { clientIdOf } from "@/lib/oauth/basic-credentials";
import { type OAuthReply, oauthError } from "@/lib/oauth/oauth-reply";
import type { PostedForm } from "@/lib/oauth/token-endpoint";
import type { Reply } from "@/lib/operations/operation";
import { requireStorable } from "@/lib/operations/storable-input";
import type { Call, Endpoint } from "./endpoint";
import { readBody, readBytes, readParameters } from "./read-input";
import { respond, respondWithFailure } from "./respond";

const FORM_MEDIA = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

type Answer<Body> = (body: Body, ctx: Context) => Promise<OAuthReply>;

/** An endpoint of the authorization server that takes a form, with the errors of RFC 6749 rather than the API's. */
export const formEndpoint = (answer: Answer<PostedForm>): Endpoint =>
  oauthEndpoint(async ({ request, ctx }) => {
    await takeMetadataRequest(ctx);
    return answer(await readForm(request), ctx);
  });

/**
 * The same for token exchanges. A success is counted for the client that authenticated, because one address may belong
 * to a hosted agent with many users. A failure is counted for the address.
 */
export const tokenEndpoint = (answer: Answer<PostedForm>): Endpoint =>
  oauthEndpoint(async ({ request, ctx }) => {
    await requireAddressQuota(ctx);
    const form = await readForm(request).catch((rejection) =>
      takeMetadataRequest(ctx).then(() => Promise.reject(rejection)),
    );
    const clientId = clientIdOf(form);
    await requireTokenQuota(clientId, ctx);
    const reply = await answer(form, ctx);
    if (reply.status === 200) await countTokenExchange(clientId, ctx);
    else await takeMetadataRequest(ctx);
    return reply;
  });

/** The same for an endpoint that takes JSON. */
export const jsonEndpoint = (answer: Answer<unknown>): Endpoint =>
  oauthEndpoint(async ({ request, ctx }) => {
    await takeMetadataRequest(ctx);
    return answer(await readBody(request), ctx);
  });

const oauthEndpoint = (answer: (call: Call) => Promise<OAuthReply>): Endpoint => ({
  preflight: { "access-control-allow-headers": "Authorization, Content-Type, MCP-Protocol-Version" },
  answers: {
    async POST(call) {
      return respond(replyOf(await answer(call)), call.ctx);
    },
  },
  rejected(thrown, { request, ctx }) {
    const isOAuth = thrown instanceof Failure && thrown.status < 500 && thrown.status !== 405 && thrown.status !== 429;
    return isOAuth
      ? respond(replyOf(oauthError("invalid_request", thrown.message)), ctx)
      : respondWithFailure(thrown, ctx, request);
  },
});

function replyOf({ status, headers, body }: OAuthReply): Reply {
  if (body === null) return { status, headers: { ...headers }, body: { kind: "none" } };
  return {
    status,
    headers: { ...headers, "content-type": "application/json" },
    body: { kind: "bytes", bytes: Buffer.from(JSON.stringify(body)) },
  };
}

/** The fields of a form. Repeated fields are rejected because they are ambiguous (RFC 6749, 3.2). */
async function readForm(request: Request): Promise<PostedForm> {
  if (!FORM_MEDIA.test(request.headers.get("content-type") ?? ""))
    throw fail("invalid_request", { message: "Send a form with Content-Type: application/x-www-form-urlencoded." });
  const submitted = readParameters(new TextDecoder().decode(await readBytes(request)));
  const names = [...submitted.keys()];
  requireStorable(Object.fromEntries(submitted));
  if (new Set(names).size < names.length) throw fail("invalid_request", { message: "Send each field once." });
  return {
    fields: new Map([...submitted].filter(([, value]) => value !== "")),
    authorization: request.headers.get("authorization"),
  };
}
