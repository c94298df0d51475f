import { randomBytes } from "node:crypto";
import type { Settings } from "@/lib/kernel/env";

import { INTERNAL_PREFIX } from "./listener-mark";

/**
 * The policy of a page. Only scripts with this reply's nonce run, and scripts that those load; nothing is framed,
 * embedded, sent or fetched elsewhere.
 * `'self'` next to `'strict-dynamic'` is for browsers that do not support the latter.
 */
function pagePolicy(nonce: string, { isSecure, hasWorkers }: { isSecure: boolean; hasWorkers: boolean }): string {
  const own = `'self' 'nonce-${nonce}'`;
  const directives = [
    "default-src 'none'",
    `script-src ${own} 'strict-dynamic'`,
    "script-src-attr 'none'",
    `style-src ${own}`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...(hasWorkers ? ["worker-src 'self'"] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    ...(isSecure ? ["upgrade-insecure-requests"] : []),
  ];
  return directives.join("; ");
}

/** The policy of replies that are not pages: even if opened as a document, they run, load and send nothing. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The policy of content that other sites may frame: it shows text and drawings in our own styles and typeface, and can
 * do nothing else.
 */
const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/** The policy of the worker that runs SQL, the only script that may compile WebAssembly. */
const SQL_WORKER_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** Request header that passes the nonce to pages. The listener deletes any that a client sends. */
export const NONCE_HEADER = `${INTERNAL_PREFIX}nonce`;

export type HeaderSettings = Pick<Settings, "PARQUETRY_BASE_URL">;

export interface RouteHeaders {
  isPage: boolean;
  /** Headers of every reply of the route. For a page, the policy contains a nonce for this one reply. */
  reply: Readonly<Record<string, string>>;
  /**
   * Headers that pages receive with the request: the nonce, and the policy that the framework takes it from. Empty
   * except for pages.
   */
  request: Readonly<Record<string, string>>;
}

/** Sent with every reply. */
export const EVERYWHERE = { "X-Content-Type-Options": "nosniff" } as const;

/**
 * Without includeSubDomains: what runs on subdomains is not ours to decide, and a subdomain cannot set a `__Host-`
 * cookie.
 */
const TWO_YEARS_S = 63_072_000;

/** Permissions of a page: writing to the clipboard, for the copy buttons, passkeys, and nothing else. */
const DENIED =
  "accelerometer autoplay browsing-topics camera clipboard-read display-capture encrypted-media fullscreen " +
  "geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment " +
  "picture-in-picture screen-wake-lock serial usb xr-spatial-tracking";
const GRANTED = ["clipboard-write", "publickey-credentials-create", "publickey-credentials-get"];
const PERMISSIONS = [...DENIED.split(" ").map((name) => `${name}=()`), ...GRANTED.map((name) => `${name}=(self)`)].join(
  ", ",
);

const PAGE = {
  "X-Frame-Options": "DENY",
  "Permissions-Policy": PERMISSIONS,
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;
const OWN_SITE = { "Cross-Origin-Resource-Policy": "same-origin" } as const;
const ANY_SITE = { "Cross-Origin-Resource-Policy": "cross-origin" } as const;
const NO_STORE = { "Cache-Control": "no-store" } as const;

/**
 * Headers of a page for its reader alone. same-origin: links with tokens reveal nothing to other sites, and forms still
 * send their Origin, which no-referrer would make null.
 */
export const PRIVATE_PAGE = { ...NO_STORE, "Referrer-Policy": "same-origin" } as const;

const WELL_KNOWN = [
  "ai-catalog\\.json",
  "api-catalog",
  "mcp\\.json",
  "mcp-registry-auth",
  "security\\.txt",
  "agent-skills/(?:index\\.json|(?:read|build)-open-data/SKILL\\.md)",
  "oauth-authorization-server",
  "oauth-protected-resource(?:/api/mcp(?:/account)?)?",
] as const;

/** Below a table are its rows, which everybody may read, and its download, which is a personal page. */
const CATALOGUE_PAGES = [
  "",
  "(?:docs|topics|publishers)(?:/.*)?",
  "datasets(?:/[^/]+){0,2}/?",
  "datasets/[^/]+/versions/[^/]+",
  "datasets/[^/]+/[^/]+/rows(?:/[^/]+)?",
] as const;

/**
 * THE table of routes and the headers of their replies. The first row that matches a decoded path decides. A path in no
 * row is a personal page, which must not be cached, so a new page is private until it is listed here.
 */
const ROUTES: readonly {
  name: string;
  path: RegExp;
  isPage?: true;
  /** Whether the page starts workers. */
  hasWorkers?: true;
  policy?: string;
  headers: Readonly<Record<string, string>>;
}[] = [
  { name: "worker for SQL", path: /^\/_next\/static\/sql\/[^/]+\.js$/, policy: SQL_WORKER_POLICY, headers: OWN_SITE },
  {
    name: "asset",
    path: /^\/_next\/static\/|^\/(?:icon\.svg|apple-icon\.png|icon-(?:192|512)\.png|manifest\.webmanifest)$/,
    headers: OWN_SITE,
  },
  {
    name: "account",
    path: /^\/api\/(?:auth|account|stripe)(?:\/|$)/,
    headers: { ...OWN_SITE, ...NO_STORE, "Referrer-Policy": "no-referrer" },
  },
  { name: "api", path: /^\/api(?:\/|$)/, headers: { ...ANY_SITE, "Referrer-Policy": "no-referrer" } },
  { name: "probe", path: /^\/(?:healthz|readyz|status\.json)$/, headers: { ...OWN_SITE, ...NO_STORE } },
  {
    name: "document",
    path: /^\/(?:llms(?:-full)?\.txt|robots\.txt|sitemap\.xml|catalog\.jsonld|card\.png|datasets\.atom)$/,
    headers: ANY_SITE,
  },
  { name: "part of the sitemap", path: /^\/sitemaps\/\d{1,5}\.xml$/, headers: ANY_SITE },
  { name: "client", path: /^\/clients\/parquetry(?:\.py|-[0-9a-z.-]{1,40}\.tgz)$/, headers: ANY_SITE },
  { name: "document of the docs", path: /^\/docs(?:\/[a-z-]+){0,2}\.md$/, headers: ANY_SITE },
  {
    name: "document of a dataset",
    path: /^\/datasets\/[^/]+\/(?:llms\.txt|card\.png|drawing\.svg|versions\.atom)$/,
    headers: ANY_SITE,
  },
  {
    name: "citation of a dataset",
    path: /^\/datasets\/[^/]+\/(?:versions\/[^/]+\/)?cite\.(?:ris|bib|json|cff)$/,
    headers: ANY_SITE,
  },
  {
    name: "well-known document",
    path: new RegExp(`^/\\.well-known/(?:${WELL_KNOWN.join("|")})$`),
    headers: ANY_SITE,
  },
  // The only pages that other sites may frame. They have no script, cookie or form, so clickjacking gains nothing.
  {
    name: "frame",
    path: /^\/embed\/[^/]+\/[^/]+$/,
    policy: FRAME_POLICY,
    headers: { ...ANY_SITE, "Permissions-Policy": PERMISSIONS, "Referrer-Policy": "no-referrer" },
  },
  { name: "frame style", path: /^\/embed\/(?:style\.css|inter(?:-ext)?\.woff2)$/, headers: ANY_SITE },
  {
    name: "catalogue page",
    path: new RegExp(`^/(?:${CATALOGUE_PAGES.join("|")})$`),
    isPage: true,
    // These contain nothing about the reader. Shared caches may keep them for a minute, while a browser always shows
    // the newest version.
    headers: {
      ...PAGE,
      ...OWN_SITE,
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "Cache-Control": "public, max-age=0, s-maxage=60, must-revalidate",
    },
  },
  {
    name: "page for SQL",
    path: /^\/sql$/,
    isPage: true,
    hasWorkers: true,
    headers: { ...PAGE, ...OWN_SITE, ...PRIVATE_PAGE },
  },
  {
    name: "own page",
    path: /^/,
    isPage: true,
    headers: { ...PAGE, ...OWN_SITE, ...PRIVATE_PAGE },
  },
];

/**
 * The headers of a request for this path (decoded, without query) and of its reply. `requested` is the path as sent.
 * The framework routes by that one, so a path that is a page only as sent is treated as a page.
 */
export function routeHeaders(
  path: string,
  { PARQUETRY_BASE_URL: publicUrl }: HeaderSettings,
  requested: string = path,
): RouteHeaders {
  const isSecure = publicUrl?.startsWith("https://") ?? false;
  const [decoded, raw] = [path, requested].map((spelling) => ROUTES.find((row) => row.path.test(spelling)));
  const route = raw?.isPage ? raw : decoded;
  const nonce = route?.isPage && randomBytes(18).toString("base64");
  const policy = nonce
    ? pagePolicy(nonce, { isSecure, hasWorkers: route?.hasWorkers === true })
    : (route?.policy ?? DATA_POLICY);
  const reply = {
    ...EVERYWHERE,
    ...(isSecure && { "Strict-Transport-Security": `max-age=${TWO_YEARS_S}` }),
    ...route?.headers,
    "Content-Security-Policy": policy,
  };
  return {
    isPage: route?.isPage === true,
    reply,
    request: nonce ? { "content-security-policy": policy, [NONCE_HEADER]: nonce } : {},
  };
}
