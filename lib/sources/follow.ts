import type { IncomingMessage } from "node:http";
import { ask, type Connecting } from "./connection";
import { allowsHost, checkHost, type SourceCredential, withCredential } from "./credential";
import { SourceFailure } from "./source-failure";

const REDIRECTS_MAX = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface SourceCall {
  url: string;
  method?: "GET" | "POST";
  /** JSON body of a POST. */
  body?: string;
  /** The recipe's header fields, which are sent only to the first origin. */
  headers?: Readonly<Record<string, string>>;
  /** Our own header fields, such as Accept and conditions. */
  own?: Readonly<Record<string, string>>;
  credential?: SourceCredential;
}

export interface Followed {
  reply: IncomingMessage;
  /** The final URL without its query, which may contain a secret. */
  finalAddress: string;
  url: URL;
  redirects: number;
}

interface Hop {
  url: URL;
  method: string;
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
  credential: SourceCredential | undefined;
}

/** Sends a request and follows at most five redirects. Every hop is checked, and other origins get nothing secret. */
export async function follow(call: SourceCall, connecting: Connecting, signal: AbortSignal): Promise<Followed> {
  let hop: Hop = {
    url: parsed(call.url),
    method: call.method ?? "GET",
    body: call.body,
    headers: call.headers ?? {},
    credential: call.credential,
  };
  if (hop.credential) checkHost(hop.credential, hop.url);
  for (let redirects = 0; ; redirects += 1) {
    const reply = await askHop(hop, call.own ?? {}, connecting, signal);
    if (!REDIRECTS.has(reply.statusCode ?? 0) || reply.headers.location === undefined)
      return { reply, url: hop.url, redirects, finalAddress: hop.url.origin + hop.url.pathname };
    reply.destroy();
    if (redirects >= REDIRECTS_MAX)
      throw new SourceFailure("source_refused", `${hop.url.host} redirects more than ${REDIRECTS_MAX} times.`);
    hop = nextHop(hop, reply.headers.location, reply.statusCode ?? 0, call.credential);
  }
}

function askHop(hop: Hop, own: Readonly<Record<string, string>>, connecting: Connecting, signal: AbortSignal) {
  const carried = hop.credential ? withCredential(hop.url, hop.credential) : { url: hop.url, headers: {} };
  const type = hop.body === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...own, ...hop.headers, ...type, ...carried.headers };
  return ask(carried.url, { method: hop.method, headers, body: hop.body }, connecting, signal);
}

function nextHop(hop: Hop, location: string, status: number, credential: SourceCredential | undefined): Hop {
  const url = parsed(location, hop.url);
  url.hash = "";
  if (credential && hop.url.protocol === "https:" && url.protocol === "http:")
    throw new SourceFailure("source_refused", `${hop.url.host} redirects from https to http.`);
  const isSameOrigin = url.origin === hop.url.origin;
  const becomesGet = status === 303 || (hop.method === "POST" && (status === 301 || status === 302));
  if (!isSameOrigin && hop.body !== undefined && !becomesGet)
    throw new SourceFailure("source_refused", `${hop.url.host} redirects a body to ${url.host}.`);
  return {
    url,
    method: becomesGet ? "GET" : hop.method,
    body: becomesGet ? undefined : hop.body,
    headers: isSameOrigin ? hop.headers : {},
    credential: credential && allowsHost(credential, url) ? credential : undefined,
  };
}

function parsed(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new SourceFailure("source_refused", "The source does not have a valid URL.");
  const url = new URL(text, base);
  url.hash = "";
  return url;
}
