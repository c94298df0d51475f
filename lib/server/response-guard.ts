import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { INTERNAL_PREFIX, LENGTH_HEADER } from "@/lib/http/listener-mark";
import type { PageMarks } from "@/lib/http/page-status";
import { PRIVATE_PAGE } from "@/lib/http/security-headers";
import { type Failure, fail } from "@/lib/kernel/errors";
import { noRoom, SMALL_BYTES } from "@/lib/limits/replies-in-flight";
import { isRejected, reject } from "./rejection";

export interface GuardOptions {
  requestId: string;
  api: boolean;
  /**
   * Set if a browser requested a page. A failed page is then replaced by ours, because the framework's is empty without
   * script.
   */
  nonce?: string | undefined;
  /** The route's own headers, which override the handler's. */
  headers: Readonly<Record<string, string>>;
  /** Counts a reply of the framework that may keep this many bytes in memory; false if there is no room for it. */
  begin: (bytes: number) => boolean;
  /** Called when the head is sent: what the page reported, such as its status or why it failed. */
  pageMarks: () => PageMarks;
  /** Called when the head is sent: whether this connection should end with the reply. */
  closing: () => boolean;
}

const ROUTER_VARY = /^(rsc|next-router-.*|next-url)$/i;

/** Wraps a response so that, whoever writes it, its head carries the headers of every reply and nothing internal. */
export function guardHead(req: IncomingMessage, res: ServerResponse, options: GuardOptions): void {
  const writeHead = res.writeHead.bind(res);
  res.writeHead = (status: number, reason?: string | HeaderArguments, headers?: HeaderArguments): ServerResponse => {
    takeHeaders(res, typeof reason === "string" ? headers : reason);
    res.statusCode = status;
    cleanHead(req, res, options);
    return writeHead(status, typeof reason === "string" ? reason : undefined);
  };
}

/**
 * The same for the framework's replies: also sets a page's own status, and replaces a page that failed, or that there
 * is no room for, with ours.
 */
export function guardResponse(req: IncomingMessage, res: ServerResponse, options: GuardOptions): void {
  const raw = { writeHead: res.writeHead.bind(res), write: res.write.bind(res), end: res.end.bind(res) };

  let begun = false;

  const writeHead = (status: number, reason?: string | HeaderArguments, headers?: HeaderArguments): ServerResponse => {
    takeHeaders(res, typeof reason === "string" ? headers : reason);
    const { status: own, isPrivate, failure } = options.pageMarks();
    res.statusCode = own ?? status;
    if (res.statusCode >= 500 && own === undefined && !isRejected(res) && (failure || options.nonce))
      return replaceWith(failure ?? fail("internal"));
    if (lacksRoom()) return replaceWith(noRoom());
    cleanHead(req, res, { ...options, headers: headersOf(options, isPrivate) });
    return raw.writeHead(res.statusCode, typeof reason === "string" ? reason : undefined);
  };

  /** Called before the framework's first byte: whether its reply must be replaced. Its replies under /api are small. */
  const lacksRoom = (last?: unknown): boolean => {
    if (begun || isRejected(res) || options.api || res.headersSent) return false;
    begun = true;
    const bytes = bufferedBytes(req, res, last);
    return bytes > SMALL_BYTES && !options.begin(bytes);
  };

  const replaceWith = (failure: Failure): ServerResponse => {
    Object.assign(res, { write: raw.write, end: raw.end });
    reject(res, failure, options);
    ignoreWrites(res);
    return res;
  };

  const write = (...args: Parameters<typeof res.write>): boolean => {
    if (lacksRoom()) {
      replaceWith(noRoom());
      return true;
    }
    return raw.write(...args);
  };

  const end = (...args: unknown[]): ServerResponse =>
    lacksRoom(args[0] ?? "") ? replaceWith(noRoom()) : raw.end(...(args as []));

  Object.assign(res, { writeHead, write, end });
}

/** The assumed size of a page, whose length the framework does not know in advance. */
const PAGE_BYTES = 512 * 1024;

/**
 * Memory that a reply of the framework may hold until it is read. `last` is its entire body if that is written at once.
 */
function bufferedBytes(req: IncomingMessage, res: ServerResponse, last: unknown): number {
  if (req.method === "HEAD" || res.statusCode === 304 || res.statusCode === 204) return 0;
  if (typeof last === "string" || last instanceof Uint8Array) return Math.min(Buffer.byteLength(last), PAGE_BYTES);
  return Math.min(Number(res.getHeader("Content-Length") ?? PAGE_BYTES), PAGE_BYTES);
}

type HeaderArguments = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/** Headers passed to writeHead would bypass the cleaning, so they are set first. */
function takeHeaders(res: ServerResponse, headers: HeaderArguments): void {
  if (Array.isArray(headers)) {
    const flat = headers.flat();
    for (let index = 0; index + 1 < flat.length; index += 2)
      res.appendHeader(String(flat[index]), String(flat[index + 1]));
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) res.setHeader(name, value);
}

/** A page's caching is set by its path, before it is known whom it is for. */
const headersOf = ({ headers }: GuardOptions, isPrivate = false): GuardOptions["headers"] =>
  isPrivate ? { ...headers, ...PRIVATE_PAGE } : headers;

function cleanHead(
  req: IncomingMessage,
  res: ServerResponse,
  { requestId, api, headers, closing }: GuardOptions,
): void {
  const announced = res.getHeader(LENGTH_HEADER);
  if (announced !== undefined && !res.hasHeader("Content-Encoding")) res.setHeader("Content-Length", String(announced));
  for (const name of res.getHeaderNames()) if (name.startsWith(INTERNAL_PREFIX)) res.removeHeader(name);
  res.removeHeader("X-Powered-By");
  for (const [name, value] of Object.entries(headers))
    name === "Vary" ? res.appendHeader(name, value) : res.setHeader(name, value);
  // a cache would combine this nonce with the page that it stored
  if (res.statusCode === 304) res.removeHeader("Content-Security-Policy");
  if (headers["Cross-Origin-Resource-Policy"] === "same-origin") removeCorsHeaders(res);
  res.setHeader("X-Request-Id", requestId);
  if (api) trimVary(res);
  // a page's caching is set by its path, before it is known whether it fails, or is a redirect of the framework's own
  // router, which depends on headers that caches do not compare
  else if (res.statusCode >= 300 && res.statusCode !== 304) res.setHeader("Cache-Control", "no-store");
  if (closing() || req.httpVersion === "1.0") res.setHeader("Connection", "close");
}

/** Headers for our own site are withheld from other sites, whatever the handler wrote. */
function removeCorsHeaders(res: ServerResponse): void {
  for (const name of res.getHeaderNames()) if (name.startsWith("access-control-")) res.removeHeader(name);
}

function trimVary(res: ServerResponse): void {
  const vary = res.getHeader("Vary");
  if (vary === undefined) return;
  const names = [vary]
    .flat()
    .join(",")
    .split(",")
    .map((name) => name.trim());
  const remaining = [...new Set(names.filter((name) => name !== "" && !ROUTER_VARY.test(name)))];
  if (remaining.length > 0) res.setHeader("Vary", remaining.join(", "));
  else res.removeHeader("Vary");
}

/** Discards whatever the framework still writes to a response that was already answered. */
export function ignoreWrites(res: ServerResponse): void {
  const self = () => res;
  Object.assign(res, {
    setHeader: self,
    appendHeader: self,
    removeHeader: self,
    writeHead: self,
    flushHeaders: self,
    write: () => true,
    end: self,
  });
}
