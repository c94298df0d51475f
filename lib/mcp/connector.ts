import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { type ConnectorPath, resourceAt } from "@/lib/auth/oauth/server-metadata";
import { type Failure, fail } from "@/lib/errors";
import { requestContext } from "@/lib/http/context";
import { log } from "@/lib/http/log";
import { failureOf } from "@/lib/http/respond";
import { noteAddress, takeAddress } from "@/lib/operations/allowances";
import type { Context } from "@/lib/operations/operation";
import { admitCaller } from "./caller";
import type { Call } from "./connector-call";
import { unmarkNumbers } from "./exact-numbers";
import { calledTool, type Messages, readMessages } from "./messages";
import { connectorCors, connectorPreflight, refuseForeignPlace } from "./place";
import { asksToSignIn, challenge, readsChallengeInResult, refusalOf } from "./refusal";
import { rpcError } from "./rpc-error";
import { newServer } from "./server";
import { findTool } from "./tools";

const METHODS = "POST, OPTIONS";
const JSON_MEDIA = /^application\/json\s*(?:;|$)/i;

/** The route handler of the connector at one of its addresses, for every method: Streamable HTTP without sessions, whose replies are plain JSON. */
export async function answerConnector(request: Request, path: ConnectorPath): Promise<Response> {
  const ctx = requestContext(request);
  try {
    refuseForeignPlace(request.headers, ctx.baseUrl);
    if (request.method === "OPTIONS") return finished(new Response(null, { status: 204, headers: connectorPreflight(request.headers, METHODS) }), request, ctx);
    if (request.method !== "POST") await refuseMethod(ctx);
    return await finished(await answerPost(request, path, ctx), request, ctx);
  } catch (thrown) {
    return finished(refused(failureOf(thrown), thrown, { request, path, ctx }), request, ctx);
  }
}

/** There is no stream to open (GET) and no session to end (DELETE). */
async function refuseMethod(ctx: Context): Promise<never> {
  await noteAddress(ctx);
  throw fail("method_not_allowed", { message: "The connector takes POST: a client of the Model Context Protocol speaks to it.", headers: { allow: METHODS } });
}

async function answerPost(request: Request, path: ConnectorPath, ctx: Context): Promise<Response> {
  if (!JSON_MEDIA.test(request.headers.get("content-type") ?? "")) throw fail("unsupported_media_type");
  const messages = await readMessages(request);
  const calls = messages.exact.flatMap((message) => calledTool(message) ?? []);
  await admitAt(path, request, ctx).catch((refusal) => takeAddress(ctx).then(() => Promise.reject(refusal)));
  if (calls.length < messages.exact.length) await takeAddress(ctx);
  const inResult = readsChallengeInResult(request.headers.get("user-agent"));
  if (!inResult) refuseUnsigned(calls, ctx);
  const byId = new Map(messages.exact.map((message) => [String(message.id), calledTool(message)?.args]));
  return dispatch(request, messages, { ctx, path, inResult, argumentsOf: (id) => byId.get(String(id)) });
}

/** Lets the caller in. At the address for accounts nothing is answered without a credential, so that a client signs its person in before anything else. */
async function admitAt(path: ConnectorPath, request: Request, ctx: Context): Promise<void> {
  const authorization = request.headers.get("authorization");
  if (authorization === null && path === "/api/mcp/account")
    throw fail("key_missing", { message: "Sign in first: this address of the connector answers nobody else." });
  await admitCaller(authorization, resourceAt(ctx.baseUrl, path).resource, ctx);
}

/** A call that needs a credential, or a scope, that the caller does not have is answered with HTTP's own challenge, by which most clients sign their person in. */
function refuseUnsigned(calls: readonly { name: unknown }[], ctx: Context): void {
  for (const { name } of calls) {
    const tool = findTool(name);
    const refusal = tool && refusalOf(tool, ctx);
    if (refusal && asksToSignIn(refusal)) throw refusal;
  }
}

/** Requests of 2026-07-28, which need no handshake. A subscription would hold a stream open for changes that never come. */
const direct = createMcpHandler(({ authInfo }) => newServer(authInfo?.extra?.call as Call), { legacy: "reject", maxSubscriptions: 0, keepAliveMs: 0 });

async function dispatch(request: Request, { body }: Messages, call: Call): Promise<Response> {
  const normal = withAccept(request);
  const options = { parsedBody: body, authInfo: { token: "", clientId: "", scopes: [], extra: { call } } };
  if (!(await isLegacyRequest(normal, body))) return direct.fetch(normal, options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = newServer(call);
  await server.connect(transport);
  try {
    return await transport.handleRequest(normal, options);
  } finally {
    void server.close().catch(() => undefined);
  }
}

/** The library asks for both media types, where a client may name one, any or none. */
function withAccept(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: "POST", headers });
}

interface Refused {
  request: Request;
  path: ConnectorPath;
  ctx: Context;
}

function refused(failure: Failure, thrown: unknown, { request, path, ctx }: Refused): Response {
  if (failure.status >= 500) log().error({ request_id: ctx.requestId, code: failure.code, err: thrown }, "request failed");
  const headers = new Headers({ ...failure.headers, "content-type": "application/json" });
  if (failure.retryAfterSeconds !== undefined) headers.set("retry-after", String(Math.max(1, Math.ceil(failure.retryAfterSeconds))));
  const error = faultOf(failure, request);
  if (failure.status === 401 || error) headers.set("www-authenticate", challenge(ctx, path, error && { error, description: failure.message }));
  return new Response(request.method === "HEAD" ? null : rpcError(failure, ctx.requestId), { status: failure.status, headers });
}

/** What was wrong with the credential, in OAuth's words (RFC 6750, 3.1); nothing where none was sent. */
function faultOf({ code, status }: Failure, request: Request): "invalid_token" | "insufficient_scope" | undefined {
  if (code === "insufficient_scope") return code;
  return status === 401 && request.headers.has("authorization") ? "invalid_token" : undefined;
}

/** The reply with what every reply of the connector carries; it is nobody's to keep. */
async function finished(reply: Response, request: Request, ctx: Context): Promise<Response> {
  const headers = new Headers(reply.headers);
  for (const [name, value] of [...ctx.replyHeaders, ...Object.entries(allowedCors(request, ctx))]) headers.set(name, value);
  headers.set("cache-control", "no-store");
  headers.set("x-request-id", ctx.requestId);
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return new Response(isJson ? unmarkNumbers(await reply.text()) : reply.body, { status: reply.status, headers });
}

/** A page that may not call learns nothing of the refusal either. */
function allowedCors(request: Request, { baseUrl }: Context): Record<string, string> {
  try {
    refuseForeignPlace(request.headers, baseUrl);
    return connectorCors(request.headers);
  } catch {
    return { vary: "Origin" };
  }
}
