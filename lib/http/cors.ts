const EXPOSED = [
  "Accept-Ranges",
  "Content-Digest",
  "Content-Disposition",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Link",
  "RateLimit",
  "RateLimit-Policy",
  "Repr-Digest",
  "Retry-After",
  "Sunset",
  "X-Next-Cursor",
  "X-Request-Id",
  "X-Service-Content-Digest",
  "X-Truncated",
];
const ALLOWED = ["Content-Type", "If-Match", "If-None-Match", "If-Range", "Range", "X-Api-Key", "X-Request-Id"];

/**
 * Allowed for every origin: the public routes use no cookies, so a page of another site learns nothing that it could
 * not fetch itself.
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED.join(", "),
};

/** The reply to a preflight request. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    ...CORS_HEADERS,
    allow: methods.join(", "),
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": ALLOWED.join(", "),
    "access-control-max-age": "86400",
  };
}
