import { admitBearer } from "@/lib/access/authenticate";
import type { Context } from "@/lib/access/context";
import { requireAddressQuota, takeCallerRequest, takeMetadataRequest } from "@/lib/access/quotas";
import { type Failure, fail } from "@/lib/kernel/errors";
import { type ConnectorPath, resourceAt } from "@/lib/oauth/server-metadata";
import { calledTool, idKey } from "./messages";
import { asksToSignIn, challenge, readsChallengeInResult, refusalOf } from "./refusal";
import { newServer } from "./server";
import { findTool } from "./tools";
import { type Arrival, answerProtocol } from "./transport";

/** The reply of the connector at one of its addresses, for every method. */
export function answerConnector(request: Request, path: ConnectorPath): Promise<Response> {
  let caller: Context | undefined;
  return answerProtocol(request, {
    async admit(arrival) {
      await requireAddressQuota(arrival.ctx);
      caller = await admitCaller(path, arrival);
      return serverFor(arrival, path, caller);
    },
    challenge: (failure, to, ctx) => challengeOf(failure, { request: to, path, ctx: caller ?? ctx }),
  });
}

/** Whoever sends a credential that does not hold takes from the address's metadata requests. */
const admitCaller = (path: ConnectorPath, { request, ctx }: Arrival): Promise<Context> =>
  admitAt(path, request, ctx).catch((refusal) => takeMetadataRequest(ctx).then(() => Promise.reject(refusal)));

/** Refuses what needs a credential that did not come, and makes the server of this request. */
async function serverFor({ request, messages }: Arrival, path: ConnectorPath, ctx: Context) {
  const calls = messages.exact.flatMap((message) => calledTool(message) ?? []);
  const metadata = messages.exact.length - calls.filter(({ name }) => runs(name, ctx)).length;
  for (let taken = 0; taken < metadata; taken++) await takeCallerRequest(ctx);
  const inResult = readsChallengeInResult(request.headers.get("user-agent"));
  if (!inResult) refuseUnsigned(calls, ctx);
  const byId = new Map(messages.exact.map((message) => [idKey(message.id), calledTool(message)?.args]));
  return () => newServer({ ctx, path, inResult, argumentsOf: (id) => byId.get(idKey(id)) });
}

/**
 * Whether a call is executed, and so taken from its caller's queries. Whatever is not is a metadata request of the
 * credential, or of the address without one: each message of a list, and each refusal.
 */
function runs(name: unknown, ctx: Context): boolean {
  const tool = findTool(name);
  return tool !== undefined && refusalOf(tool, ctx) === undefined;
}

/**
 * At the address for accounts nothing is answered without a credential, so that a client signs its person in before
 * anything else.
 */
async function admitAt(path: ConnectorPath, request: Request, ctx: Context): Promise<Context> {
  const authorization = request.headers.get("authorization");
  if (authorization === null && path === "/api/mcp/account")
    throw fail("key_missing", { message: "Sign in first. This connector URL requires authentication." });
  return admitBearer(authorization, resourceAt(ctx.baseUrl, path).resource, ctx);
}

/**
 * A call that needs a credential, or a scope, that the caller does not have is answered with HTTP's own challenge, by
 * which most clients sign their person in.
 */
function refuseUnsigned(calls: readonly { name: unknown }[], ctx: Context): void {
  for (const { name } of calls) {
    const tool = findTool(name);
    const refusal = tool && refusalOf(tool, ctx);
    if (refusal && asksToSignIn(refusal)) throw refusal;
  }
}

interface Refused {
  request: Request;
  path: ConnectorPath;
  ctx: Context;
}

function challengeOf(failure: Failure, { request, path, ctx }: Refused): string | undefined {
  const error = faultOf(failure, request);
  return failure.status === 401 || error
    ? challenge(ctx, path, error && { error, description: failure.message })
    : undefined;
}

/** What was wrong with the credential, in OAuth's words (RFC 6750, 3.1); nothing where none was sent. */
function faultOf({ code, status }: Failure, request: Request): "invalid_token" | "insufficient_scope" | undefined {
  if (code === "insufficient_scope") return code;
  return status === 401 && request.headers.has("authorization") ? "invalid_token" : undefined;
}
