import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

interface CachedPath {
  path: RegExp;
  /** Every parameter that the page reads. It gets no others (`keptParameters` in app/search-params.ts). */
  parameters: readonly string[];
  /** Those with which the page is rendered for its reader alone. */
  own?: readonly string[];
}

/**
 * Pages that are the same for everybody, by their folder in app/, with the parameters that they read: THE place where
 * both are declared. All other pages are rendered each time.
 */
export const CACHED_PAGES = {
  "/": { path: /^\/$/, parameters: [] },
  "/datasets": {
    path: /^\/datasets$/,
    parameters: ["q", "topic", "publisher", "license", "freshness", "size", "sort", "cursor"],
  },
  "/datasets/[slug]": {
    path: /^\/datasets\/[a-z0-9-]{1,100}$/,
    parameters: ["table", "use", "cite", "from_column"],
  },
  "/datasets/[slug]/versions": {
    path: /^\/datasets\/[a-z0-9-]{1,100}\/versions$/,
    parameters: ["table", "from", "to"],
    own: ["from", "to"], // comparing two versions counts against the reader's quota
  },
  "/datasets/[slug]/versions/[version_id]": {
    path: /^\/datasets\/[a-z0-9-]{1,100}\/versions\/[a-z0-9.-]{1,100}$/,
    parameters: ["use", "cite", "from_column"],
  },
  "/topics/[topic]": { path: /^\/topics\/[A-Za-z0-9%_.~-]{1,200}$/, parameters: ["cursor"] },
  "/publishers/[publisher]": { path: /^\/publishers\/[A-Za-z0-9%_.~-]{1,200}$/, parameters: ["cursor"] },
  "/docs": { path: /^\/docs$/, parameters: [] },
  "/docs/[page]": { path: /^\/docs\/(?!search$)[a-z-]{1,60}$/, parameters: ["client"] },
  "/docs/api/[operation]": { path: /^\/docs\/api\/[a-z-]{1,60}$/, parameters: [] },
} as const satisfies Readonly<Record<string, CachedPath>>;

const PAGES: readonly CachedPath[] = Object.values(CACHED_PAGES);

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

export interface CacheKey {
  url: string;
  /** The headers of a prefetch, which a page sends before anybody follows a link; otherwise empty. */
  router: IncomingHttpHeaders;
  /** Clients can invent any number of these, so they have their own room. */
  isMadeUp: boolean;
}

/**
 * The URL of a request whose page may be cached, or rendered once for several readers, without the parameters that the
 * page does not read: otherwise anybody could have it rendered as often as they invent one. Undefined for other pages.
 * Pure.
 */
export function cacheKeyOf({ method, url = "", headers }: IncomingMessage): CacheKey | undefined {
  const router = routerHeaders(headers);
  if ((method !== "GET" && method !== "HEAD") || !router) return undefined;
  const [path = "", ...rest] = url.split("?");
  const page = PAGES.find(({ path: pattern }) => path.length <= PATH_BYTES_MAX && pattern.test(path));
  if (!page) return undefined;
  const isPrefetch = router.rsc !== undefined;
  const names = isPrefetch ? [...page.parameters, ROUTER_PARAMETER] : page.parameters;
  const read = [...new URLSearchParams(rest.join("?"))].filter(([name]) => names.includes(name));
  if (read.some(([name]) => page.own?.includes(name))) return undefined;
  const query = new URLSearchParams(read).toString();
  if (query.length > QUERY_BYTES_MAX) return undefined;
  return query === ""
    ? { url: path, router, isMadeUp: isPrefetch }
    : { url: `${path}?${query}`, router, isMadeUp: true };
}

/** The router's headers, if there are none or those of a prefetch. When a link is followed, no two are alike. */
function routerHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders | undefined {
  const present = ROUTER_HEADERS.filter((name) => headers[name] !== undefined);
  if (present.length === 0) return {};
  if (headers.rsc !== "1" || headers["next-router-prefetch"] !== "1" || present.includes("next-action"))
    return undefined;
  if (present.some((name) => String(headers[name]).length > ROUTER_BYTES_MAX)) return undefined;
  return Object.fromEntries(present.map((name) => [name, headers[name]]));
}
