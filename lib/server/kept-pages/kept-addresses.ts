import type { IncomingMessage } from "node:http";

/** Pages that are the same for everybody, with the parameters that they read. A page in no row is drawn each time. */
const KEPT: readonly { path: RegExp; parameters: readonly string[] }[] = [
  { path: /^\/$/, parameters: [] },
  {
    path: /^\/datasets$/,
    parameters: ["q", "topic", "publisher", "license", "freshness", "size", "sort", "cursor"],
  },
  { path: /^\/datasets\/[a-z0-9-]{1,100}$/, parameters: ["table", "use", "cite", "from_column"] },
  // with two versions it compares them, which is counted for its reader
  { path: /^\/datasets\/[a-z0-9-]{1,100}\/versions$/, parameters: [] },
  { path: /^\/datasets\/[a-z0-9-]{1,100}\/versions\/[a-z0-9.-]{1,100}$/, parameters: ["use", "cite", "from_column"] },
  { path: /^\/(?:topics|publishers)\/[A-Za-z0-9%_.~-]{1,200}$/, parameters: ["cursor"] },
  { path: /^\/docs(?:\/(?!search$)[a-z-]{1,60})?$/, parameters: [] },
];

const QUERY_BYTES_MAX = 300;

/** Requests of the framework's router are for data, each with what its page has already. */
const ROUTER_HEADERS = ["rsc", "next-router-state-tree", "next-router-prefetch", "next-action", "next-url"];

export interface KeptAddress {
  url: string;
  /** Addresses with a query are as many as anybody likes, so that they have room of their own. */
  hasQuery: boolean;
}

/** The address of a request whose page may be kept, or drawn for several readers at once; else undefined. Pure. */
export function keptAddress({ method, url = "", headers }: IncomingMessage): KeptAddress | undefined {
  if ((method !== "GET" && method !== "HEAD") || ROUTER_HEADERS.some((name) => headers[name] !== undefined))
    return undefined;
  const [path = "", query] = url.split("?", 2);
  const row = KEPT.find(({ path: pattern }) => path.length <= PATH_BYTES_MAX && pattern.test(path));
  if (!row) return undefined;
  if (query === undefined) return { url, hasQuery: false };
  return isReadWhole(url, query, row.parameters) ? { url, hasQuery: true } : undefined;
}

const PATH_BYTES_MAX = 300;

/** Whether a page reads all of a query: one with anything else would be kept once for every word that somebody adds. */
function isReadWhole(url: string, query: string, parameters: readonly string[]): boolean {
  if (query.length > QUERY_BYTES_MAX || url.includes("?", url.indexOf("?") + 1)) return false;
  return [...new URLSearchParams(query).keys()].every((name) => parameters.includes(name));
}
