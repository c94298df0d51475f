import { randomUUID } from "node:crypto";
import { admitBearer } from "@/lib/access/authenticate";
import { scopesOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { requireAddressQuota, takeCallerRequest, takeMetadataRequest } from "@/lib/access/quotas";
import { type Failure, fail } from "@/lib/kernel/errors";
import { traceIdOf } from "@/lib/kernel/trace-id";
import type { Scope } from "@/lib/oauth/scopes";
import { type ConnectorPath, resourceAt } from "@/lib/oauth/server-metadata";
import type { Call } from "./connector-call";
import { isMessage } from "./message-faults";
import { calledTool, idKey } from "./messages";
import { challenge, isOpenAiClient, needsSignIn, rejectionOf } from "./rejection";
import { APPS_EXTENSION, RESULT_APP_MEDIA, RESULT_APP_URI } from "./result-app";
import { newServer } from "./server";
import type { Tool } from "./tool";
import { TOOLBOX, type Toolbox } from "./tools";
import { answerProtocol, type ProtocolRequest } from "./transport";

/** The reply of the connector at one of its URLs, for every method. */
export function answerConnector(request: Request, path: ConnectorPath, tools: Toolbox = TOOLBOX): Promise<Response> {
  let caller: Context | undefined;
  return answerProtocol(request, {
    async admit(arrival) {
      await requireAddressQuota(arrival.ctx);
      caller = await admitCaller(path, arrival);
      return serverFor(arrival, { path, tools }, caller);
    },
    challenge: (failure, to, ctx) => challengeOf(failure, { request: to, path, ctx: caller ?? ctx }),
  });
}

/** An invalid credential counts against the address's metadata requests. */
const admitCaller = (path: ConnectorPath, { request, ctx }: ProtocolRequest): Promise<Context> =>
  admitAt(path, request, ctx).catch((rejection) => takeMetadataRequest(ctx).then(() => Promise.reject(rejection)));

/** Rejects calls that lack a required credential, and creates the server for this request. */
async function serverFor(
  { request, messages }: ProtocolRequest,
  { path, tools }: Pick<Call, "path" | "tools">,
  ctx: Context,
) {
  const calls = messages.exact.flatMap((message) => calledTool(message) ?? []);
  const metadata = messages.exact.length - calls.filter(({ name }) => runs(tools.find(name), ctx)).length;
  for (let taken = 0; taken < metadata; taken++) await takeCallerRequest(ctx);
  const isOpenAi = isOpenAiClient(request.headers.get("user-agent"));
  if (!isOpenAi)
    rejectUnsigned(
      calls.map(({ name }) => tools.find(name)),
      ctx,
    );
  const byId = new Map(messages.exact.map((message) => [idKey(message.id), calledTool(message)]));
  const ofRequest = traceIdOf(ctx.header("traceparent"));
  const call = {
    argumentsOf: (id: unknown) => byId.get(idKey(id))?.args,
    traceIdOf: (id: unknown) => traceIdOf(byId.get(idKey(id))?.traceparent) ?? ofRequest,
  };
  const showsApp = knowsApps(request.headers, messages.exact);
  if (showsApp && opensSession(messages.exact)) ctx.replyHeaders.set(SESSION_HEADER, newSession());
  return () => newServer({ ctx, tools, path, isOpenAi, showsApp, ...call });
}

/**
 * Whether a call is executed, and so counted against its caller's queries. Everything else is a metadata request of the
 * credential, or without one, of the address: each message of a list, and each error.
 */
function runs(tool: Tool | undefined, ctx: Context): boolean {
  return tool !== undefined && rejectionOf(tool, ctx) === undefined;
}

/** At the account URL nothing works without a credential, so that a client signs its person in before anything else. */
async function admitAt(path: ConnectorPath, request: Request, ctx: Context): Promise<Context> {
  const authorization = request.headers.get("authorization");
  if (authorization === null && path === "/api/mcp/account")
    throw fail("key_missing", { message: "Sign in first. This connector URL requires authentication." });
  return admitBearer(authorization, resourceAt(ctx.baseUrl, path).resource, ctx);
}

/**
 * A call that needs a credential, or a scope, that the caller does not have gets HTTP's own challenge, at which most
 * clients sign their person in.
 */
function rejectUnsigned(called: readonly (Tool | undefined)[], ctx: Context): void {
  for (const tool of called) {
    const rejection = tool && rejectionOf(tool, ctx);
    if (rejection && needsSignIn(rejection, ctx)) throw Object.assign(rejection, { needed: scopesOf(tool.access) });
  }
}

interface Rejected {
  request: Request;
  path: ConnectorPath;
  ctx: Context;
}

function challengeOf(failure: Failure, { request, path, ctx }: Rejected): string | undefined {
  const error = faultOf(failure, request);
  return failure.status === 401 || error
    ? challenge(ctx, path, { ...(error && { error, description: failure.message }), ...neededBy(failure) })
    : undefined;
}

/** The scopes that a rejected call needs, if it named them. */
const neededBy = (failure: Failure & { needed?: readonly Scope[] }) =>
  failure.needed ? { needed: failure.needed } : {};

/** What was wrong with the credential, as an OAuth error code (RFC 6750, 3.1); empty if none was sent. */
function faultOf({ code, status }: Failure, request: Request): "invalid_token" | "insufficient_scope" | undefined {
  if (code === "insufficient_scope") return code;
  return status === 401 && request.headers.has("authorization") ? "invalid_token" : undefined;
}

type Message = Readonly<Record<string, unknown>>;

const SESSION_HEADER = "mcp-session-id";

/** A session id with this prefix says only that its client shows apps; nothing is stored for it. */
const SESSION = "apps-";

/**
 * Whether the client of these messages shows apps (`io.modelcontextprotocol/ui`). Requests of 2026-07-28 declare their
 * client's capabilities; older clients declare them only in `initialize`, and send back the session id of its reply.
 */
const knowsApps = (headers: Headers, messages: readonly Message[]): boolean =>
  (headers.get(SESSION_HEADER)?.startsWith(SESSION) ?? false) || messages.some(statesApps) || messages.some(readsApp);

/** Whether one of the messages is an `initialize` that starts such a session. */
const opensSession = (messages: readonly Message[]): boolean => messages.some(({ method }) => method === "initialize");

/** Unique, since intermediaries between client and service may distinguish clients by it. */
const newSession = (): string => `${SESSION}${randomUUID()}`;

function statesApps({ method, params }: Message): boolean {
  if (!isMessage(params)) return false;
  const stated =
    method === "initialize"
      ? params.capabilities
      : isMessage(params._meta) && params._meta["io.modelcontextprotocol/clientCapabilities"];
  const extensions = isMessage(stated) && stated.extensions;
  const apps = isMessage(extensions) && extensions[APPS_EXTENSION];
  return isMessage(apps) && Array.isArray(apps.mimeTypes) && apps.mimeTypes.includes(RESULT_APP_MEDIA);
}

/** A host may read an app through a separate connection. */
const readsApp = ({ method, params }: Message): boolean =>
  method === "resources/read" && isMessage(params) && params.uri === RESULT_APP_URI;
