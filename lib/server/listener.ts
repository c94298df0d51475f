import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, BlockList, Socket } from "node:net";
import type { Logger } from "pino";
import type { Door } from "@/lib/door/handle";
import { type DeferredBody, discardBody } from "@/lib/http/deferred-body";
import { ADDRESS_HEADER } from "@/lib/http/listener-mark";
import { takePageMarks } from "@/lib/http/page-status";
import { PROBES } from "@/lib/http/probes";
import { type HeaderSettings, NONCE_HEADER, type RouteHeaders, routeHeaders } from "@/lib/http/security-headers";
import { asCaller } from "@/lib/kernel/caller";
import type { Settings } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { traceRequest } from "@/lib/kernel/telemetry";
import { addressBlock } from "@/lib/limits/address";
import { noRoom, type RepliesInFlight, repliesInFlight } from "@/lib/limits/replies-in-flight";
import type { Maintenance } from "@/lib/storage/maintenance";
import { type ApiHostSettings, notAtApiHost } from "./api-host";
import { BOUNDS, type Bounds } from "./bounds";
import { trustedProxies } from "./client-address";
import { Connections } from "./connections";
import { boundBody, type IncomingFile } from "./incoming-body";
import { hasMarkdown, markdownTarget } from "./markdown-target";
import { cutSlowReader } from "./reading-pace";
import { ALLOW, reject, rejectsocket } from "./rejection";
import { faultOf, methodNotAllowed, tooManyHeaders } from "./request-faults";
import { fixHeaders, hasBody } from "./request-head";
import { requestIdFrom } from "./request-id";
import { logWhenOver } from "./request-line";
import { pathOf, readTarget, type Target } from "./request-target";
import { RequestTurns } from "./request-turns";
import { guardHead, guardResponse } from "./response-guard";
import { heldBytes, sendBody } from "./send-body";
import { sendResponse } from "./send-response";
import { webRequest } from "./web-request";
import { whenOver } from "./when-over";

export interface ListenerOptions {
  /** Handles everything that is not a page. */
  door?: Door;
  /** Handles pages: Next's request handler, or any other. */
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;
  /** 0 picks a free one. */
  port: number;
  host: string;
  settings: Pick<Settings, "PARQUETRY_TRUSTED_PROXIES"> & HeaderSettings & ApiHostSettings;
  logger: Pick<Logger, "debug" | "info" | "warn" | "error">;
  /** Counts a page for an address. Rejects with the failure if it was one too many. */
  takePage?: (address: string) => Promise<void>;
  /** The current maintenance mode; undefined if off. Called for every request. */
  maintenance?: () => Maintenance | undefined;
  bounds?: Partial<Bounds>;
  /** What clients hold in memory by reading slowly; the process's own if absent. */
  replies?: RepliesInFlight;
}

export interface Listener {
  url: string;
  /**
   * Goes on serving for `delayMs` with readiness 503, so that load balancers leave. Then stops accepting, lets running
   * requests finish, and cuts the rest `graceMs` after the call.
   */
  close(graceMs: number, delayMs?: number): Promise<void>;
}

interface Context {
  options: ListenerOptions;
  bounds: Bounds;
  trusted: BlockList;
  connections: Connections;
  turns: RequestTurns;
  replies: RepliesInFlight;
}

/** Starts the HTTP listener; resolves once it accepts connections. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const bounds = { ...BOUNDS, ...options.bounds };
  const server = createServer({
    maxHeaderSize: bounds.headBytes,
    headersTimeout: bounds.headMs,
    requestTimeout: 0, // one timeout per request instead: see limitBodyTime
    keepAliveTimeout: bounds.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, bounds.headMs),
    requireHostHeader: false, // Node's own error would carry no request ID: faultOf checks
    noDelay: true,
  });
  // bounded by the bytes of the head instead: with a count, the parser rejects before the maintenance check, or drops
  // silently
  server.maxHeadersCount = 0;
  const trusted = trustedProxies(options.settings.PARQUETRY_TRUSTED_PROXIES);
  const connections = new Connections(server, bounds, trusted, options.settings);
  const turns = new RequestTurns(bounds.connectionRequestsMax);
  const replies = options.replies ?? repliesInFlight();
  const context: Context = { options, bounds, trusted, connections, turns, replies };
  for (const event of ["request", "checkExpectation", "checkContinue"] as const)
    server.on(event, (req: IncomingMessage, res: ServerResponse) =>
      context.turns.take(req, res, () => answer(req, res, context)),
    );
  server.on("connect", (_req, socket) => {
    const closed = maintenanceFailure(options);
    rejectsocket(socket as Socket, closed ?? methodNotAllowed(ALLOW), {
      plain: closed !== null,
      lingerMs: bounds.lingerMs,
    });
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(options.host)}:${port}`,
    close: (graceMs, delayMs) => connections.drain(graceMs, delayMs),
  };
}

/** For one event: the framework and our own code each listen for the end of a response for several reasons. */
const RESPONSE_LISTENERS_MAX = 30;

/** Maintenance mode is checked first, even before the method. Only the probes of platforms and load balancers pass. */
function maintenanceFailure({ maintenance }: ListenerOptions, target?: Target): Failure | null {
  const current = maintenance?.();
  if (!current || (target && Object.hasOwn(PROBES, pathOf(target)))) return null;
  return fail("unavailable", current);
}

/** The headers of every reply of a route. Nothing that the API's own host does not serve may be cached. */
const guardHeaders = (requested: Target, route: RouteHeaders, missing: Failure | undefined) => ({
  ...route.reply,
  ...(hasMarkdown(requested.path) && { Vary: "Accept" }),
  ...(missing && { "Cache-Control": "no-store" }),
});

/** How a rejection is written: never as a page on the API's own host. */
const replyTo = (
  req: IncomingMessage,
  target: Target,
  { requestId, route, missing }: { requestId: string; route: RouteHeaders; missing: Failure | undefined },
) =>
  missing ? { api: true, requestId, nonce: undefined } : { api: target.api, requestId, nonce: pageNonce(req, route) };

function answer(req: IncomingMessage, res: ServerResponse, context: Context): void {
  const { bounds, connections, turns, options } = context;
  const requestId = requestIdFrom(req.headers["x-request-id"]);
  const requested = readTarget(req.url ?? "/");
  const target = markdownTarget(requested, req.method, req.headers.accept);
  const route = routeHeaders(target.path, options.settings, pathOf(target));
  const nonce = route.request[NONCE_HEADER];
  const missing = notAtApiHost(req.headers.host, pathOf(target), options.settings);
  const reply = replyTo(req, target, { requestId, route, missing });
  const door = options.door?.serves(pathOf(target)) ? options.door : undefined;
  const isFile = door?.takesFile(req.method ?? "", pathOf(target)) === true;
  const bytesMax = isFile ? bounds.fileBytes : bounds.bodyBytes;
  res.setMaxListeners(RESPONSE_LISTENERS_MAX);
  connections.began(req, res);
  const guard = door ? guardHead : guardResponse;
  guard(req, res, {
    ...reply,
    headers: guardHeaders(requested, route, missing),
    closing: () => connections.draining || turns.isLast(res),
    pageMarks: () => (nonce === undefined ? {} : takePageMarks(nonce)),
    begin: (bytes) => beginReply(req, res, bytes, context),
  });
  if (nonce) whenOver(req, res, () => void takePageMarks(nonce));
  const traced = traceRequest(req.method ?? "", req.headers, kindOf(target, route, door));
  whenOver(req, res, () => traced.end(res.statusCode));
  logWhenOver(req, res, pathOf(target), { requestId, traceId: traced.traceId }, options.logger);
  const closed = maintenanceFailure(options, target);
  const rejectWith = (failure: Failure) => {
    const close = hasBody(req);
    if (close) connections.linger(req.socket);
    reject(res, failure, {
      ...reply,
      close,
      plain: closed !== null,
      ...(!closed && tooManyHeaders(req, bounds) && { status: 431 }),
    });
  };
  const failure = faultOf({ req, target, bounds, bytesMax, door, closed, missing });
  if (failure) rejectWith(failure);
  if (failure || ownAnswer(req, res, target, context)) return;
  fixHeaders(req, { requestId, trusted: context.trusted, added: route.request });
  req.url = target.url;
  const file = boundBody(req, res, bounds, { isFile, bytesMax, connections, rejectWith });
  // The framework would compress replies with a strong ETag. Scripts and style sheets are served compressed
  // (static-assets).
  if (!route.isPage && !door && !target.path.startsWith("/_next/")) delete req.headers["accept-encoding"];
  const passed = { ...reply, isPage: route.isPage, door, ...(file && { file }) };
  void asCaller(`address:${addressBlock(addressOf(req))}`, () => traced.run(() => pass(req, res, context, passed)));
}

/** What a request is for, as far as its path says. */
const kindOf = (target: Target, { isPage }: RouteHeaders, door: Door | undefined): string =>
  Object.hasOwn(PROBES, pathOf(target)) ? "probe" : isPage ? "page" : door ? "document" : "asset";

const addressOf = (req: IncomingMessage): string => String(req.headers[ADDRESS_HEADER] ?? "");

/** Counts a reply that the framework writes, until it ends; false if there is no room for it. */
function beginReply(req: IncomingMessage, res: ServerResponse, bytes: number, { bounds, replies }: Context): boolean {
  const end = replies.begin({ address: addressOf(req) }, bytes);
  if (!end) return false;
  whenOver(req, res, end);
  cutSlowReader(res, bounds);
  return true;
}

/** Sends a deferred body while counting it for its reader, or fails with busy. */
async function sendCounted(
  req: IncomingMessage,
  res: ServerResponse,
  body: DeferredBody,
  { bounds, options, replies }: Context,
  reply: { api: boolean; requestId: string },
): Promise<void> {
  const head = req.method === "HEAD";
  const end = replies.begin({ address: addressOf(req), subject: body.reader }, head ? 0 : heldBytes(body));
  if (!end) {
    reject(res, noRoom(), reply);
    return discardBody(body);
  }
  await sendBody(res, body, { bounds, logger: options.logger, requestId: reply.requestId, head });
  end();
}

/** Replies that need nothing else, so that no load delays them: `OPTIONS *`, liveness and readiness. */
function ownAnswer(req: IncomingMessage, res: ServerResponse, target: Target, { connections }: Context): boolean {
  if (req.url === "*") {
    res.writeHead(204, { Allow: ALLOW }).end();
    return true;
  }
  const path = pathOf(target);
  const probe = Object.hasOwn(PROBES, path) ? PROBES[path] : undefined;
  if (!probe) return false;
  const { status, headers, body } = probe(connections.draining);
  res.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
  return true;
}

interface Passed {
  api: boolean;
  requestId: string;
  isPage: boolean;
  nonce: string | undefined;
  door: Door | undefined;
  file?: IncomingFile;
}

async function pass(req: IncomingMessage, res: ServerResponse, context: Context, reply: Passed): Promise<void> {
  const { options, replies, connections } = context;
  try {
    if (reply.isPage) {
      replies.requireRoom({ address: addressOf(req) });
      await options.takePage?.(addressOf(req));
    }
    if (!reply.door) return await options.handle(req, res);
    const response = await reply.door.handle(webRequest(req, res, reply.file));
    if (reply.file && !req.complete) {
      res.setHeader("Connection", "close"); // Node would read the rest of the file before the next request
      connections.linger(req.socket);
    }
    await sendResponse(res, response, (body) => sendCounted(req, res, body, context, reply));
  } catch (error) {
    if (res.destroyed || res.writableEnded) return;
    if (error instanceof Failure && !res.headersSent) return reject(res, error, reply);
    options.logger.error({ request_id: reply.requestId, err: error }, "request failed");
    if (res.headersSent) res.destroy();
    else reject(res, fail("internal"), reply);
  }
}

function listen(server: Server, { port, host }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

const urlHost = (host: string) =>
  host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;

/** The nonce for one of the listener's own pages; undefined if the client does not accept pages or requests data. */
function pageNonce(req: IncomingMessage, { isPage, request }: RouteHeaders): string | undefined {
  const takesPages = req.headers.accept?.includes("text/html") === true && req.headers.rsc === undefined;
  return isPage && takesPages ? request[NONCE_HEADER] : undefined;
}
