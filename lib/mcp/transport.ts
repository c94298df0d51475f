import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Context } from "@/lib/access/context";
import { countMetadataRequest, takeMetadataRequest } from "@/lib/access/quotas";
import { requestContext } from "@/lib/http/context";
import { envelope } from "@/lib/http/envelope";
import { failureOf } from "@/lib/http/failure-of";
import { log } from "@/lib/http/log";
import { type Failure, fail } from "@/lib/kernel/errors";
import { unmarkNumbers } from "./exact-numbers";
import { connectorCors, connectorPreflight, rejectForeignOrigin } from "./foreign-origin";
import { isMessage } from "./message-faults";
import { checkMessages, type Messages, readMessages, replyId } from "./messages";

const METHODS = "POST, OPTIONS";
const JSON_MEDIA = /^application\/json\s*(?:;|$)/i;

/** One POST: its messages, their sender, and where they came from. */
export interface ProtocolRequest {
  request: Request;
  messages: Messages;
  ctx: Context;
}

/** The handler behind the transport. */
export interface ProtocolHandler {
  /** Authenticates the caller and returns the factory of this request's server. Fails with a Failure. */
  admit(arrival: ProtocolRequest): Promise<() => McpServer>;
  /** The WWW-Authenticate header of a rejection, if it has one. */
  challenge?(failure: Failure, request: Request, ctx: Context): string | undefined;
}

/**
 * The transport: Streamable HTTP without sessions, one request and one plain JSON reply, at every version of the
 * protocol. Handles every method.
 */
export async function answerProtocol(request: Request, spoken: ProtocolHandler): Promise<Response> {
  const ctx = requestContext(request, { door: "connector" });
  const call: ProtocolCall = { request, spoken, ctx, id: null };
  try {
    rejectForeignOrigin(request.headers, ctx.baseUrl);
    if (request.method === "OPTIONS") {
      await takeMetadataRequest(ctx);
      const headers = connectorPreflight(request.headers, METHODS);
      return await finished(new Response(null, { status: 204, headers }), request, ctx);
    }
    if (request.method !== "POST") await rejectMethod(ctx);
    return await finished(await answerPost(call), request, ctx);
  } catch (thrown) {
    return finished(rejected(failureOf(thrown), thrown, call), request, ctx);
  }
}

/** There is no stream to open (GET) and no session to end (DELETE). */
async function rejectMethod(ctx: Context): Promise<never> {
  await countMetadataRequest(ctx);
  throw fail("method_not_allowed", {
    message: "Use POST. This URL is for Model Context Protocol clients.",
    headers: { allow: METHODS },
  });
}

interface ProtocolCall {
  request: Request;
  spoken: ProtocolHandler;
  ctx: Context;
  /** The id of a single message once it is parsed, for error replies. */
  id: Messages["id"];
}

async function answerPost(call: ProtocolCall): Promise<Response> {
  const { request, spoken, ctx } = call;
  const messages = await soundMessages(call).catch((rejection) =>
    takeMetadataRequest(ctx).then(() => Promise.reject(rejection)),
  );
  return dispatch(request, messages.body, await spoken.admit({ request, messages, ctx }));
}

/** The messages of a request. Invalid ones are rejected and count against the address's metadata requests. */
async function soundMessages(call: ProtocolCall): Promise<Messages> {
  const { request } = call;
  if (!JSON_MEDIA.test(request.headers.get("content-type") ?? "")) throw fail("unsupported_media_type");
  const messages = await readMessages(request);
  call.id = messages.id;
  checkMessages(messages);
  return messages;
}

/** Requests of 2026-07-28, which need no handshake. */
const direct = createMcpHandler((call) => (call.authInfo as unknown as { extra: Extra }).extra.newServer(), {
  legacy: "reject",
  maxSubscriptions: 0,
  keepAliveMs: 0,
});

interface Extra {
  newServer(): McpServer;
}

async function dispatch(request: Request, body: unknown, newServer: Extra["newServer"]): Promise<Response> {
  const normal = withAccept(request);
  if (!(await isLegacyRequest(normal, body))) {
    if (isMessage(body) && body.method === "subscriptions/listen") return noStreams(body.id);
    return direct.fetch(normal, {
      parsedBody: body,
      authInfo: { token: "", clientId: "", scopes: [], extra: { newServer } },
    });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = newServer();
  await server.connect(transport);
  try {
    const reply = await transport.handleRequest(normal, { parsedBody: body });
    return Array.isArray(body) && reply.status === 200 ? await asList(reply) : reply;
  } finally {
    void server.close().catch(() => undefined);
  }
}

/** A list is answered with a list; for a list of one request the library returns a single reply. */
async function asList(reply: Response): Promise<Response> {
  const body = (await reply.json()) as unknown;
  return Response.json(Array.isArray(body) ? body : [body], { headers: reply.headers });
}

/**
 * A subscription would hold a stream open for changes that never come, and the library has no other way to disable it.
 */
function noStreams(id: unknown): Response {
  const error = {
    code: ProtocolErrorCode.MethodNotFound,
    message: "Method not found. This server has no streams, and its lists do not change while it runs.",
  };
  return Response.json({ jsonrpc: "2.0", id: replyId(id), error }, { status: 404 });
}

/** The library requires both media types; a client may name one, any or none. */
function withAccept(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: "POST", headers });
}

function rejected(failure: Failure, thrown: unknown, { request, spoken, ctx, id }: ProtocolCall): Response {
  if (failure.status >= 500 && !ctx.signal?.aborted)
    log().error({ request_id: ctx.requestId, code: failure.code, err: thrown }, "request failed");
  const headers = new Headers({ ...failure.headers, "content-type": "application/json" });
  if (failure.retryAfterSeconds !== undefined)
    headers.set("retry-after", String(Math.max(1, Math.ceil(failure.retryAfterSeconds))));
  const challenge = spoken.challenge?.(failure, request, ctx);
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  return new Response(request.method === "HEAD" ? null : rpcError(failure, ctx.requestId, id), {
    status: failure.status,
    headers,
  });
}

/** The reply with the headers of every connector reply; it must not be cached. */
async function finished(reply: Response, request: Request, ctx: Context): Promise<Response> {
  const headers = new Headers(reply.headers);
  for (const [name, value] of [...ctx.replyHeaders, ...Object.entries(allowedCors(request, ctx))])
    headers.set(name, value);
  headers.set("cache-control", "no-store");
  headers.set("x-request-id", ctx.requestId);
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return new Response(isJson ? unmarkNumbers(await reply.text()) : reply.body, { status: reply.status, headers });
}

/** A page that may not call cannot read the error either. */
function allowedCors(request: Request, { baseUrl }: Context): Record<string, string> {
  try {
    rejectForeignOrigin(request.headers, baseUrl);
    return connectorCors(request.headers);
  } catch {
    return { vary: "Origin" };
  }
}

const RPC_CODES: Readonly<Record<string, number>> = {
  invalid_json: -32_700,
  invalid_request: -32_600,
  invalid_value: -32_602,
  internal: -32_603,
  key_missing: -32_001,
  key_invalid: -32_001,
};

/** An error before any tool ran: a JSON-RPC error whose `data` is the service's own envelope. */
function rpcError(failure: Failure, requestId: string, id: string | number | null = null): string {
  const body = envelope(failure, requestId);
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code: RPC_CODES[failure.code] ?? -32_000, message: failure.message, data: body },
  });
}
