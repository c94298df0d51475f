import { type HeaderSettings, NONCE_HEADER, routeHeaders } from "@/lib/http/security-headers";
import { readTarget } from "./request-target";

/** No path of ours is longer; what follows it is a query. */
const START = /^GET (\/[^ ?#\r\n]{0,2000})[ ?#]/;
const ACCEPT = /\r\naccept:([^\r]{0,500})/i;

/** How one of the listener's own pages is sent. */
export interface UnreadPage {
  nonce: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * The error page for a head that was too long to be parsed: for a GET of a page, unless an Accept header that arrived
 * rules pages out. `head` is its first bytes, then the packet at which the parser gave up. Undefined if the reply is
 * data.
 */
export function unreadPage(head: Buffer, settings: HeaderSettings): UnreadPage | undefined {
  const text = head.toString("latin1");
  const [, path] = START.exec(text) ?? [];
  if (path === undefined) return undefined;
  const [, accept] = ACCEPT.exec(text) ?? [];
  if (accept !== undefined && !accept.includes("text/html")) return undefined;
  const { reply, request } = routeHeaders(readTarget(path).path, settings);
  const nonce = request[NONCE_HEADER];
  return nonce === undefined ? undefined : { nonce, headers: reply };
}
