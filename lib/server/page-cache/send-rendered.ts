import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { setPageStatus } from "@/lib/http/page-status";
import type { PageTemplate } from "./page-template";

/** A page as the framework rendered it. */
export interface RenderedPage {
  status: number;
  /** The page itself chose the status. */
  isOwnStatus: boolean;
  headers: OutgoingHttpHeaders;
  /** The nonce in its headers. The body has holes in its place. */
  nonce: string;
  body: PageTemplate;
}

/** Headers of the rendering. Each reply has its own length, and no two replies are the same. */
const NOT_SENT = new Set(["content-length", "etag", "connection", "transfer-encoding", "date"]);

/** Sends a rendered page with this reply's nonce. */
export function sendRendered(
  req: IncomingMessage,
  res: ServerResponse,
  { status, isOwnStatus, headers, nonce: renderedNonce, body }: RenderedPage,
  nonce: string,
): void {
  const isGzipped = new Negotiator(req).encoding(["gzip", "identity"]) === "gzip";
  const bytes = isGzipped ? body.gzipped(nonce) : body.plain(nonce);
  if (isOwnStatus) setPageStatus(nonce, status);
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !NOT_SENT.has(name)) res.setHeader(name, withNonce(value, renderedNonce, nonce));
  if (!/accept-encoding/i.test(String(headers.vary))) res.appendHeader("Vary", "Accept-Encoding");
  if (isGzipped) res.setHeader("Content-Encoding", "gzip");
  res.setHeader("Content-Length", bytes.length);
  if (req.method === "HEAD") res.end();
  else res.end(bytes);
}

const withNonce = (value: number | string | string[], rendered: string, nonce: string) =>
  typeof value === "number"
    ? value
    : Array.isArray(value)
      ? value.map((one) => one.replaceAll(rendered, nonce))
      : value.replaceAll(rendered, nonce);
