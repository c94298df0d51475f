import type { ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { CORS_HEADERS } from "@/lib/http/cors";
import { envelope } from "@/lib/http/envelope";
import { EVERYWHERE } from "@/lib/http/security-headers";
import { type Failure, fail } from "@/lib/kernel/errors";
import { errorPage } from "./error-page";
import { newRequestId } from "./request-id";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export const ALLOW = METHODS.join(", ");

interface Refusal {
  type: string;
  body: string;
}

function refusalBody(failure: Failure, api: boolean, requestId: string, nonce?: string): Refusal {
  if (nonce) return { type: "text/html; charset=utf-8", body: errorPage(failure, requestId, nonce) };
  if (api) return { type: "application/json; charset=utf-8", body: JSON.stringify(envelope(failure, requestId)) };
  return { type: "text/plain; charset=utf-8", body: `${failure.message}\nRequest ID: ${requestId}\n` };
}

interface RefusalOptions {
  api: boolean;
  requestId: string;
  /** The connection ends with the reply. */
  close?: boolean;
  /** Where HTTP has a closer status than the code's own. */
  status?: number;
  /** Plain text under /api too. */
  plain?: boolean;
  /** The page's, where the client is a browser that asked for one. */
  nonce?: string | undefined;
}

/** Answers with a failure that the listener itself found. */
export function refuse(res: ServerResponse, failure: Failure, options: RefusalOptions): void {
  const { api, requestId, close = false, status = failure.status, plain = false, nonce } = options;
  const { type, body } = refusalBody(failure, api && !plain, requestId, plain ? undefined : nonce);
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

/** Answers on a bare socket, where no request could be read, and closes it. */
export function refuseSocket(
  socket: Socket,
  failure: Failure,
  { status = failure.status, plain = false }: Pick<RefusalOptions, "status" | "plain"> = {},
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const { type, body } = refusalBody(failure, !plain, requestId);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    ...(failure.retryAfterSeconds === undefined ? [] : [`Retry-After: ${failure.retryAfterSeconds}`]),
    ...Object.entries({ ...EVERYWHERE, ...failure.headers }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/** What Node's parser gave up on, and the status that HTTP has for it. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  switch (error.code) {
    case "ECONNRESET":
      socket.destroy();
      break;
    case "HPE_HEADER_OVERFLOW":
      refuseSocket(socket, fail("request_too_large", { message: "The request headers are too large." }), {
        status: 431,
      });
      break;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      refuseSocket(socket, fail("invalid_request", { message: "The request took too long to arrive." }), {
        status: 408,
      });
      break;
    default:
      refuseSocket(socket, fail("invalid_request", { message: "Malformed HTTP/1.1 request." }));
  }
}
