import { fail } from "@/lib/kernel/errors";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/**
 * Values that a browser sends for a request made by the page itself or by the person. `none` means the address bar or a
 * bookmark.
 */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Rejects with forbidden_origin a call that may change something and may have been made by another site's page: one
 * with another site's Origin, one that the browser says came from elsewhere, and one that carries cookies but neither
 * header. `origin` is the service's public one.
 * A call without cookies and without these headers comes from a program. It has no session to abuse.
 */
export function rejectForeignOrigin({ method, headers }: Pick<Request, "method" | "headers">, origin: string): void {
  if (SAFE_METHODS.has(method)) return;
  const from = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isForeign = (from !== null && from !== origin) || (site !== null && !OWN_SITES.has(site));
  const isUnsaid = from === null && site === null && headers.has("cookie");
  if (isForeign || isUnsaid)
    throw fail("forbidden_origin", { message: `Cross-site request. Use the pages at ${origin}.` });
}

/**
 * Rejects with forbidden_origin any call, reads included, that another site's page may have made: judged by
 * Sec-Fetch-Site if the browser sends it, otherwise by Origin or Referer. Without cookies there is no session to abuse.
 */
export function requireOwnPage({ method, headers }: Pick<Request, "method" | "headers">, origin: string): void {
  rejectForeignOrigin({ method, headers }, origin);
  const site = headers.get("sec-fetch-site");
  const from = headers.get("origin") ?? originOf(headers.get("referer"));
  const isOwn = from === undefined ? site !== null : from === origin;
  if (!headers.has("cookie") || (isOwn && (site === null || OWN_SITES.has(site)))) return;
  throw fail("forbidden_origin", { message: `Cross-site request. Use the pages at ${origin}.` });
}

const originOf = (address: string | null): string | undefined =>
  address !== null && URL.canParse(address) ? new URL(address).origin : undefined;

const CALLBACK_MAX = 2048;
const DECODINGS_MAX = 5;
const HOME = "/";

/**
 * A callbackUrl as a path of our own pages: `text` may be a path or an absolute URL under `origin`. Anything else
 * (another host in any spelling, another scheme, a route of the API, a very long string) becomes `/`. The result is
 * ASCII, begins with one slash, and leads nowhere else.
 */
export function safeCallback(text: string | null | undefined, origin: string): string {
  if (!text || text.length > CALLBACK_MAX || !isPlain(text)) return HOME;
  if (!/^\/(?!\/)/.test(text) && text !== origin && !text.startsWith(`${origin}/`)) return HOME;
  if (!URL.canParse(text, origin)) return HOME;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== "" || url.password !== "" || !isPagePath(url.pathname)) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** No backslash, which browsers read as a slash, and no white space or control characters, which they drop. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const isPlain = (text: string): boolean => !/[\\\s\u0000-\u0020\u007f-\u009f]/.test(text);

/** However often the path is decoded on the way, it remains one of ours. */
function isPagePath(path: string): boolean {
  let decoded = path;
  for (let round = 0; round < DECODINGS_MAX; round++) {
    if (
      !isPlain(decoded.replaceAll(" ", "")) ||
      decoded.startsWith("//") ||
      /^\/api(\/|$)/i.test(decoded) ||
      /(^|\/)\.{1,2}(\/|$)/.test(decoded)
    )
      return false;
    const next = decode(decoded);
    if (next === decoded) return true;
    if (next === undefined) return false;
    decoded = next;
  }
  return false;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
