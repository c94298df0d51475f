import { authenticateKey } from "@/lib/auth/authenticate";
import { fail } from "@/lib/errors";
import { noteAddress, takeAddress, takeQuery } from "@/lib/operations/allowances";
import type { AnyOperation, Context } from "@/lib/operations/operation";
import type { StoredKey } from "@/lib/store/keys";
import { requestContext } from "./context";
import { preflightHeaders } from "./cors";
import { checkAcceptable } from "./negotiate";
import { readBody, readQuery } from "./read-input";
import { jsonReply, respond, respondWithFailure } from "./respond";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

type Method = (typeof METHODS)[number];
type PathParams = Record<string, string>;
export type Handler = (request: Request, route: { params: Promise<PathParams> }) => Promise<Response>;

/** The handlers of a route: `export const { GET, HEAD, POST, … } = serve({ POST: queryTable })`. HEAD answers wherever GET does. */
export function serve(operations: { GET?: AnyOperation; POST?: AnyOperation }): Record<Method, Handler> {
  const allowed = METHODS.filter((method) => method === "OPTIONS" || operations[method === "HEAD" ? "GET" : (method as "GET" | "POST")]);
  const handler: Handler = async (request, route) => {
    const method = request.method as Method;
    const ctx = requestContext(request);
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { ...preflightHeaders(allowed), "x-request-id": ctx.requestId } });
    const operation = operations[method === "HEAD" ? "GET" : (method as "GET" | "POST")];
    try {
      if (!operation) {
        await noteAddress(ctx);
        throw fail("method_not_allowed", { headers: { allow: allowed.join(", ") } });
      }
      return await answer(operation, request, (await route.params) ?? {}, ctx);
    } catch (thrown) {
      return respondWithFailure(thrown, ctx, request);
    }
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<Method, Handler>;
}

/** The checks in the contract's order: address limit, credential, key limit, resource, shape, and then the work. */
async function answer(operation: AnyOperation, request: Request, params: PathParams, ctx: Context): Promise<Response> {
  if (operation.allowance === "catalogue") await takeAddress(ctx);
  if (operation.access === "use_key") ctx.key = await useKeyOf(request, ctx);
  const path = operation.input.path.parse(params);
  const locating = operation.locate(path, ctx); // asked while the query is counted, and answered only after it was
  locating.catch(() => undefined);
  if (operation.allowance === "query") await takeQuery(ctx);
  const located = await locating;
  checkAcceptable(request.headers.get("accept"), operation);
  const query = readQuery(new URL(request.url), operation.input.query);
  const body = operation.input.body ? await readBody(request) : undefined;
  const output = await operation.run({ path, query, body }, located, ctx);
  return respond(request, operation.reply ? await operation.reply(output, ctx) : jsonReply(output, ctx), ctx);
}

/** The use key of a request. Whoever sends bad ones takes from the address's light reads, so that keys cannot be guessed at leisure. */
async function useKeyOf(request: Request, ctx: Context): Promise<StoredKey> {
  try {
    return await authenticateKey(request.headers.get("x-api-key") ?? undefined, ["use"], ctx.now());
  } catch (refusal) {
    await takeAddress(ctx);
    throw refusal;
  }
}

/** Answers not_found in the envelope, for every path under /api that no route has. */
export async function unknownPath(request: Request): Promise<Response> {
  const ctx = requestContext(request);
  try {
    await takeAddress(ctx);
    throw fail("not_found");
  } catch (thrown) {
    return respondWithFailure(thrown, ctx, request);
  }
}
