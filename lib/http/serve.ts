import { isPersonal } from "@/lib/access/access-table";
import { admit } from "@/lib/access/authenticate";
import { admitToWorkspace } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import {
  noteMetadataRequest,
  requireAddressQuota,
  takeAccount,
  takeMetadataRequest,
  takeQuery,
} from "@/lib/access/quotas";
import { fail } from "@/lib/errors";
import { type AnyOperation, type HttpMethod, schemasOf } from "@/lib/operations/operation";
import { requestContext } from "./context";
import { preflightHeaders } from "./cors";
import { credentialsOf } from "./credentials";
import { chooseMedia } from "./negotiate";
import { checkBody, readBody, readQuery } from "./read-input";
import { jsonReply, personalReply, respond, respondWithFailure } from "./respond";
import { refuseForeignOrigin } from "./same-origin";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

type Method = (typeof METHODS)[number];
type PathParams = Record<string, string>;
type Operations = Readonly<Partial<Record<HttpMethod, AnyOperation>>>;
export type Handler = (request: Request, route: { params: Promise<PathParams> }) => Promise<Response>;

/**
 * The handlers of a route: `export const { GET, HEAD, POST, … } = serve({ POST: queryTable })`. HEAD answers wherever
 * GET does.
 */
export function serve(operations: Operations): Record<Method, Handler> {
  const operationOf = (method: Method) => operations[method === "HEAD" ? "GET" : (method as HttpMethod)];
  const allowed = METHODS.filter((method) => method === "OPTIONS" || operationOf(method));
  const isPersonalRoute = Object.values(operations).some((operation) => isPersonal(operation.access));
  const handler: Handler = async (request, route) => {
    const ctx = requestContext(request, { isPersonal: isPersonalRoute });
    const operation = operationOf(request.method as Method);
    try {
      if (request.method === "OPTIONS") {
        await takeMetadataRequest(ctx);
        return answerOptions(allowed, ctx);
      }
      if (!operation) {
        await noteMetadataRequest(ctx);
        throw fail("method_not_allowed", { headers: { allow: allowed.join(", ") } });
      }
      return await answer(operation, request, (await route.params) ?? {}, ctx);
    } catch (thrown) {
      return respondWithFailure(thrown, ctx, request);
    }
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<Method, Handler>;
}

function answerOptions(allowed: readonly Method[], ctx: Context): Response {
  const headers = ctx.isPersonal ? { allow: allowed.join(", ") } : preflightHeaders(allowed);
  return new Response(null, { status: 204, headers: { ...headers, "x-request-id": ctx.requestId } });
}

/** The checks in the contract's order: address limit, credential, key limit, resource, shape, and then the work. */
async function answer(
  operation: AnyOperation,
  request: Request,
  params: PathParams,
  arrived: Context,
): Promise<Response> {
  if (operation.quota === "catalogue") await takeMetadataRequest(arrived);
  const admitted = await admitCaller(operation, request, arrived);
  if (operation.quota === "account") await takePersonal(admitted);
  const input = schemasOf(operation);
  const path = input.path.parse(params);
  const ctx = await admitToWorkspace(operation.access, path, admitted);
  // asked while the query is counted, and answered only after it was
  const locating = operation.locate?.(path, ctx) ?? Promise.resolve();
  locating.catch(() => undefined);
  if (operation.quota === "query") await takeQuery(ctx);
  const located = await locating;
  const media = chooseMedia(request.headers.get("accept"), operation);
  const query = readQuery(new URL(request.url), input.query);
  const body = await bodyOf(operation, request);
  const output = await operation.run({ path, query, body, located }, ctx);
  return respond(request, await replyOf(operation, output, media, ctx), ctx);
}

const takePersonal = (ctx: Context): Promise<void> =>
  ctx.actor.kind === "person" ? takeAccount(ctx.actor.session.userId, ctx) : takeMetadataRequest(ctx);

async function bodyOf({ input }: AnyOperation, request: Request): Promise<unknown> {
  if (input.rawBody) return readBody(request);
  return input.body && checkBody(await readBody(request), input.body);
}

function replyOf(operation: AnyOperation, output: unknown, media: string, ctx: Context) {
  const alternative = operation.alternatives?.[media];
  if (operation.alternatives) ctx.replyHeaders.append("vary", "Accept");
  if (alternative) return alternative(output, ctx);
  if (operation.reply) return operation.reply(output, ctx);
  return ctx.isPersonal ? personalReply(output, operation.http.status ?? 200) : jsonReply(output, ctx);
}

/**
 * Whoever sends bad credentials, or comes from a foreign page, takes from the address's metadata requests, so that keys
 * cannot be guessed at leisure.
 */
async function admitCaller(operation: AnyOperation, request: Request, ctx: Context): Promise<Context> {
  if (operation.quota !== "catalogue") await requireAddressQuota(ctx);
  try {
    if (ctx.isPersonal) refuseForeignOrigin(request, new URL(ctx.baseUrl).origin);
    return await admit(operation.access, credentialsOf(request), ctx);
  } catch (refusal) {
    if (operation.quota !== "catalogue") await takeMetadataRequest(ctx);
    throw refusal;
  }
}

/** Answers not_found in the envelope, for every path under /api that no route has. */
export async function unknownPath(request: Request): Promise<Response> {
  const ctx = requestContext(request);
  try {
    await takeMetadataRequest(ctx);
    throw fail("not_found");
  } catch (thrown) {
    return respondWithFailure(thrown, ctx, request);
  }
}
