import Negotiator from "negotiator";
import type { z } from "zod";
import { isForOwnPages, isHosted, isPersonal } from "@/lib/access/access-table";
import { admit } from "@/lib/access/authenticate";
import { admitToWorkspace } from "@/lib/access/authorize";
import { asCallerOf } from "@/lib/access/caller-turns";
import type { Context } from "@/lib/access/context";
import { requireAddressQuota, takeAccount, takeMetadataRequest, takeQuery } from "@/lib/access/quotas";
import { fail } from "@/lib/kernel/errors";
import { inSpan, nameRequest } from "@/lib/kernel/telemetry";
import { type AnyOperation, type Deprecation, type HttpMethod, schemasOf } from "@/lib/operations/operation";
import { confirmGeneration, isOutdated, lastGeneration } from "@/lib/store/postgres/generation";
import { storable } from "@/lib/store/postgres/stored-json";
import { credentialsOf } from "./credentials";
import type { Call, Endpoint, PathParams } from "./endpoint";
import { readFileBody } from "./read-file-body";
import { checkBody, readBody, readQuery } from "./read-input";
import { jsonReply, personalReply, respond } from "./respond";
import { rejectForeignOrigin, requireOwnPage } from "./same-origin";

type Operations = Readonly<Partial<Record<HttpMethod, AnyOperation>>>;

/** The endpoint for operations that share a path. */
export const operationEndpoint = (operations: Operations): Endpoint => ({
  isPersonal: Object.values(operations).some(({ access }) => isPersonal(access)),
  takesFile: (Object.keys(operations) as HttpMethod[]).filter((method) => operations[method]?.input.file),
  isHosted: Object.values(operations).some(({ access }) => isHosted(access)),
  answers: Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, (call: Call) => answer(operation, call)]),
  ),
});

/** The checks in the contract's order: address limit, credential, key limit, resource, shape, and then the work. */
function answer(operation: AnyOperation, call: Call): Promise<Response> {
  nameRequest(operation.name);
  return inSpan("operation", () => answerInSpan(operation, call), operation.name);
}

async function answerInSpan(operation: AnyOperation, { request, params, ctx: arrived }: Call): Promise<Response> {
  if (operation.deprecation)
    for (const [header, value] of Object.entries(deprecationHeaders(operation.deprecation, arrived.baseUrl)))
      arrived.replyHeaders.append(header, value);
  if (operation.quota === "catalogue") await takeMetadataRequest(arrived);
  const input = schemasOf(operation);
  const find = (ctx: Context) => findCallerAndResource(operation, request, input.path, params, ctx);
  const { ctx, path, located } = await (readsCachedFacts(operation) ? onPresentFacts(arrived, find) : find(arrived));
  const media = chooseMedia(request.headers.get("accept"), operation);
  const query = readQuery(new URL(request.url), input.query);
  const body = await bodyOf(operation, request);
  const output = await asCallerOf(ctx, () => operation.run({ path, query, body, located, media }, ctx));
  return respond(await replyOf(operation, output, media, ctx), ctx);
}

/** Readers' operations: what they look up about the caller and the table may come from memory. */
const readsCachedFacts = ({ locate, quota }: AnyOperation): boolean =>
  locate !== undefined && (quota === "query" || quota === "catalogue");

const ATTEMPTS_FROM_MEMORY = 2;

/**
 * Tries first with facts from memory, assuming that the last generation this process was told is still current. If it
 * is not, tries again with the current one, and finally with facts from the database.
 */
async function onPresentFacts<T>(ctx: Context, attempt: (ctx: Context) => Promise<T>): Promise<T> {
  for (let tried = 0; tried < ATTEMPTS_FROM_MEMORY; tried++)
    try {
      return await attempt({ ...ctx, generation: lastGeneration() });
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  return attempt(ctx);
}

/** Credential, key limit and resource. Facts from memory are confirmed before they are acted on. */
async function findCallerAndResource(
  operation: AnyOperation,
  request: Request,
  pathSchema: z.ZodType,
  params: PathParams,
  requested: Context,
) {
  const admitted = await admitCaller(operation, request, requested);
  if (operation.quota === "account") await takePersonal(admitted);
  const path = pathSchema.parse(storable(params)); // what cannot be stored names nothing
  const ctx = await admitToWorkspace(operation.access, path, admitted);
  // started while the query is being counted, and awaited only afterwards
  const locating = operation.locate?.(path, ctx) ?? Promise.resolve();
  locating.catch(() => undefined);
  await (operation.quota === "query" ? takeQuery(ctx) : confirmGeneration(ctx.generation));
  return { ctx, path, located: await locating };
}

const takePersonal = (ctx: Context): Promise<void> =>
  ctx.actor.kind === "person" ? takeAccount(ctx.actor.session.userId, ctx) : takeMetadataRequest(ctx);

async function bodyOf({ input }: AnyOperation, request: Request): Promise<unknown> {
  if (input.file) return readFileBody(request);
  if (input.rawBody) return readBody(request);
  return input.body && checkBody(await readBody(request), input.body);
}

function replyOf(operation: AnyOperation, output: unknown, media: string, ctx: Context) {
  const alternative = operation.alternatives?.[media];
  if (operation.alternatives) ctx.replyHeaders.append("vary", "Accept");
  if (alternative) return alternative(output, ctx);
  if (operation.reply) return operation.reply(output, ctx);
  return ctx.isPersonal ? personalReply(output, operation.http?.status ?? 200) : jsonReply(output, ctx);
}

/**
 * A caller with an invalid credential, or from a foreign page, is charged to the address's metadata requests, which
 * limits how fast keys can be guessed.
 */
const rejectForeign = ({ access }: AnyOperation, request: Request, origin: string): void =>
  isForOwnPages(access) ? requireOwnPage(request, origin) : rejectForeignOrigin(request, origin);

async function admitCaller(operation: AnyOperation, request: Request, ctx: Context): Promise<Context> {
  if (isHosted(operation.access)) return admit(operation.access, credentialsOf(request), ctx);
  if (operation.quota !== "catalogue") await requireAddressQuota(ctx);
  try {
    if (ctx.isPersonal) rejectForeign(operation, request, new URL(ctx.baseUrl).origin);
    return await admit(operation.access, credentialsOf(request), ctx);
  } catch (rejection) {
    if (operation.quota !== "catalogue") await takeMetadataRequest(ctx);
    throw rejection;
  }
}

/**
 * The headers of every reply of a deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594), and links to the
 * change policy and to its replacement.
 */
function deprecationHeaders({ since, sunset, successor }: Deprecation, base: string): Record<string, string> {
  const policy = `<${base}/docs/changes>; rel="deprecation"; type="text/html"`;
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    sunset: sunset.toUTCString(),
    link: successor === undefined ? policy : `${policy}, <${base}${successor}>; rel="successor-version"`,
  };
}

/**
 * The media type that the client prefers among those of the operation, or the operation's first one if the client
 * states no preference. Fails with not_acceptable if the Accept header rules them all out.
 */
function chooseMedia(accept: string | null, operation: AnyOperation): string {
  const offered = mediaOf(operation);
  const first = offered[0] as string;
  if (accept === null) return first;
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes([...offered]);
  if (best === undefined)
    throw fail("not_acceptable", {
      message: `None of the accepted media types is available. This route offers ${offered.join(", ")}.`,
    });
  return best;
}

function mediaOf({ output, alternatives = {} }: AnyOperation): readonly string[] {
  return "mediaType" in output
    ? [output.mediaType, "application/octet-stream"]
    : ["application/json", ...Object.keys(alternatives)];
}
