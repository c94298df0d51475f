import type { ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { CORS_HEADERS } from "@/lib/http/cors";
import { envelope } from "@/lib/http/envelope";
import { errorPage } from "@/lib/http/error-page";
import { EVERYWHERE } from "@/lib/http/security-headers";
import { type Failure, fail } from "@/lib/kernel/errors";
import { newRequestId } from "./request-id";
import type { UnreadPage } from "./unread-page";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export const ALLOW = METHODS.join(", ");
export const PAGE_METHODS = ["GET", "HEAD"] as const;

const HEAD_TOO_LARGE = "The URL and headers together are too large. Shorten the URL, for example a long filter.";

interface Rejection {
  type: string;
  body: string;
}

function rejectionBody(failure: Failure, api: boolean, requestId: string, nonce?: string): Rejection {
  if (nonce) return { type: "text/html; charset=utf-8", body: errorPage(failure, requestId, nonce) };
  if (api) return { type: "application/json; charset=utf-8", body: JSON.stringify(envelope(failure, requestId)) };
  return { type: "text/plain; charset=utf-8", body: `${failure.message}\nRequest ID: ${requestId}\n` };
}

interface RejectionOptions {
  api: boolean;
  requestId: string;
  /** The connection ends with the reply. */
  close?: boolean;
  /** Set if HTTP has a more specific status than the code's own. */
  status?: number;
  /** Plain text, under /api too. */
  plain?: boolean;
  /** The page's nonce, if the client is a browser that requested a page. */
  nonce?: string | undefined;
}

const rejected = new WeakSet<ServerResponse>();

/** Whether the listener itself wrote this reply. Nothing may replace it. */
export const isRejected = (res: ServerResponse): boolean => rejected.has(res);

/** Replies with a failure that the listener itself found. */
export function reject(res: ServerResponse, failure: Failure, options: RejectionOptions): void {
  const { api, requestId, close = false, status = failure.status, plain = false, nonce } = options;
  const { type, body } = rejectionBody(failure, api && !plain, requestId, plain ? undefined : nonce);
  rejected.add(res);
  res.statusCode = status;
  res.statusMessage = "";
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  if (failure.retryAfterSeconds !== undefined) res.setHeader("Retry-After", String(failure.retryAfterSeconds));
  res.setHeader("Content-Type", type);
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Content-Length", Buffer.byteLength(body));
  if (api) for (const [name, value] of Object.entries(CORS_HEADERS)) res.setHeader(name, value);
  if (close) res.setHeader("Connection", "close");
  res.end(body);
}

interface SocketOptions extends Pick<RejectionOptions, "status" | "plain"> {
  page?: UnreadPage | undefined;
  lingerMs: number;
}

/**
 * Replies on a bare socket, if no request could be parsed, and closes it once the client has read the reply. Further
 * bytes from the client are read and dropped, as closing with unread bytes would reset the connection.
 */
export function rejectsocket(
  socket: Socket,
  failure: Failure,
  { status = failure.status, plain = false, page, lingerMs }: SocketOptions,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const { type, body } = rejectionBody(failure, !plain, requestId, page?.nonce);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    ...(failure.retryAfterSeconds === undefined ? [] : [`Retry-After: ${failure.retryAfterSeconds}`]),
    ...Object.entries({ ...EVERYWHERE, ...page?.headers, ...failure.headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  socket.removeAllListeners("data").resume();
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** The errors of Node's parser, and their HTTP statuses. `page` is for a head that is too long. */
export function rejectUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { page, lingerMs }: Pick<SocketOptions, "page" | "lingerMs">,
): void {
  switch (error.code) {
    case "ECONNRESET":
      socket.destroy();
      break;
    case "HPE_HEADER_OVERFLOW":
      rejectsocket(socket, fail("request_too_large", { message: HEAD_TOO_LARGE }), { status: 431, page, lingerMs });
      break;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      rejectsocket(socket, fail("invalid_request", { message: "The request took too long to arrive." }), {
        status: 408,
        lingerMs,
      });
      break;
    default:
      rejectsocket(socket, fail("invalid_request", { message: "Malformed HTTP/1.1 request." }), { lingerMs });
  }
}
