import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/**
 * Pages that are the same for everybody, with the parameters that they read. All other pages are rendered each time.
 */
const KEPT: readonly { path: RegExp; parameters: readonly string[] }[] = [
  { path: /^\/$/, parameters: [] },
  {
    path: /^\/datasets$/,
    parameters: ["q", "topic", "publisher", "license", "freshness", "size", "sort", "cursor"],
  },
  { path: /^\/datasets\/[a-z0-9-]{1,100}$/, parameters: ["table", "use", "cite", "from_column"] },
  // with two versions it compares them, which counts against the reader's quota
  { path: /^\/datasets\/[a-z0-9-]{1,100}\/versions$/, parameters: [] },
  { path: /^\/datasets\/[a-z0-9-]{1,100}\/versions\/[a-z0-9.-]{1,100}$/, parameters: ["use", "cite", "from_column"] },
  { path: /^\/(?:topics|publishers)\/[A-Za-z0-9%_.~-]{1,200}$/, parameters: ["cursor"] },
  { path: /^\/docs(?:\/(?!search$)[a-z-]{1,60})?$/, parameters: ["client"] },
  { path: /^\/docs\/api\/[a-z-]{1,60}$/, parameters: [] },
];

const PATH_BYTES_MAX = 300;
const QUERY_BYTES_MAX = 300;

/** Headers with which the framework's router requests a page's data and says what it already has. */
const ROUTER_HEADERS = [
  "rsc",
  "next-router-prefetch",
  "next-router-segment-prefetch",
  "next-router-state-tree",
  "next-url",
  "next-action",
] as const;
const ROUTER_BYTES_MAX = 300;
/** A digest of these headers, without which the framework redirects the router. */
const ROUTER_PARAMETER = "_rsc";

export interface KeptAddress {
  url: string;
  /** The headers of a prefetch, which a page sends before anybody follows a link; otherwise empty. */
  router: IncomingHttpHeaders;
  /** Clients can invent any number of these, so they have their own room. */
  isMadeUp: boolean;
}

/** The URL of a request whose page may be cached, or rendered once for several readers; otherwise undefined. Pure. */
export function keptAddress({ method, url = "", headers }: IncomingMessage): KeptAddress | undefined {
  const router = routerHeaders(headers);
  if ((method !== "GET" && method !== "HEAD") || !router) return undefined;
  const [path = "", query] = url.split("?", 2);
  const row = KEPT.find(({ path: pattern }) => path.length <= PATH_BYTES_MAX && pattern.test(path));
  if (!row) return undefined;
  const isPrefetch = router.rsc !== undefined;
  if (query === undefined) return { url, router, isMadeUp: isPrefetch };
  const parameters = isPrefetch ? [...row.parameters, ROUTER_PARAMETER] : row.parameters;
  return isReadWhole(url, query, parameters) ? { url, router, isMadeUp: true } : undefined;
}

/** The router's headers, if there are none or those of a prefetch. When a link is followed, no two are alike. */
function routerHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders | undefined {
  const sent = ROUTER_HEADERS.filter((name) => headers[name] !== undefined);
  if (sent.length === 0) return {};
  if (headers.rsc !== "1" || headers["next-router-prefetch"] !== "1" || sent.includes("next-action")) return undefined;
  if (sent.some((name) => String(headers[name]).length > ROUTER_BYTES_MAX)) return undefined;
  return Object.fromEntries(sent.map((name) => [name, headers[name]]));
}

/**
 * Whether a page reads every parameter of a query. Otherwise it would be cached once for every parameter that anybody
 * adds.
 */
function isReadWhole(url: string, query: string, parameters: readonly string[]): boolean {
  if (query.length > QUERY_BYTES_MAX || url.includes("?", url.indexOf("?") + 1)) return false;
  return [...new URLSearchParams(query).keys()].every((name) => parameters.includes(name));
}
