import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import { ADDRESS_HEADER, INTERNAL_PREFIX, listenerMark, MARK_HEADER } from "@/lib/http/listener-mark";
import { isTrusted, trueClientAddress } from "./client-address";

interface Fixing {
  requestId: string;
  trusted: BlockList;
  /** Additional headers for the route's handlers. */
  added: Readonly<Record<string, string>>;
}

/** The framework takes the nonce of its scripts from a policy in the request, so that policy must be ours. */
const POLICIES = ["content-security-policy", "content-security-policy-report-only"];

/** For a User-Agent. The framework matches it against patterns that take quadratic time. */
const AGENT_MAX = 512;

/** Removes from the request's headers everything that a client could pass off as ours or a proxy's, and adds ours. */
export function fixHeaders(req: IncomingMessage, { requestId, trusted, added }: Fixing): void {
  const { headers } = req;
  for (const name of Object.keys(headers)) if (name.startsWith(INTERNAL_PREFIX)) delete headers[name];
  const peer = req.socket.remoteAddress;
  const client = trueClientAddress(peer, single(headers["x-forwarded-for"]), trusted);
  const behindProxy = isTrusted(trueClientAddress(peer, undefined, trusted), trusted);
  if (!behindProxy || !isHost(single(headers["x-forwarded-host"]))) delete headers["x-forwarded-host"];
  headers["x-forwarded-proto"] = behindProxy && single(headers["x-forwarded-proto"]) === "https" ? "https" : "http";
  headers["x-forwarded-for"] = client;
  for (const name of ["forwarded", "x-forwarded-port", "x-real-ip", "upgrade", ...POLICIES]) delete headers[name];
  if (headers["user-agent"] !== undefined) headers["user-agent"] = headers["user-agent"].slice(0, AGENT_MAX);
  headers["x-request-id"] = requestId;
  headers[ADDRESS_HEADER] = client;
  headers[MARK_HEADER] = listenerMark();
  Object.assign(headers, added);
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(",") : value;

const isHost = (value: string | undefined): boolean =>
  value !== undefined && /^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?$/.test(value);

/** Whether a body follows the head. */
export const hasBody = (req: IncomingMessage): boolean =>
  req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;

/** RFC 9112 section 3.2: exactly one Host header, which HTTP/1.0 may omit. */
export function hasOneHost(req: IncomingMessage): boolean {
  const hosts = req.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  ).length;
  return hosts === 1 || (hosts === 0 && req.httpVersion === "1.0");
}
