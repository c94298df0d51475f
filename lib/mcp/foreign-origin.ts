import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID";
const EXPOSED_HEADERS =
  "WWW-Authenticate, MCP-Protocol-Version, Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";

/**
 * Rejects a request for a host name other than the service's own (DNS rebinding), or from a page of another site.
 * Programs send no Origin.
 */
export function rejectForeignOrigin(headers: Headers, base: string): void {
  const own = new URL(base);
  const host = hostnameOf(headers.get("x-forwarded-host") ?? headers.get("host"));
  if (host !== null && host !== own.hostname && !LOOPBACK.has(host)) {
    throw fail("forbidden_origin", {
      message: "Unknown host name. The administrator sets the service's host name with PARQUETRY_BASE_URL.",
    });
  }
  const origin = headers.get("origin");
  if (origin !== null && origin !== own.origin && !env().CONNECTOR_ALLOWED_ORIGINS.includes(origin)) {
    throw fail("forbidden_origin", {
      message: "Origin not allowed. The administrator sets the allowed origins with CONNECTOR_ALLOWED_ORIGINS.",
    });
  }
}

/** `[::1]` keeps its brackets; null if there is no host. */
function hostnameOf(host: string | null): string | null {
  if (host === null) return null;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}

/** Headers that let an allowed page read replies. */
export function connectorCors(headers: Headers): Record<string, string> {
  const origin = headers.get("origin");
  if (origin === null) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS };
}

/** The reply to a preflight request. */
export const connectorPreflight = (headers: Headers, methods: string): Record<string, string> => ({
  ...connectorCors(headers),
  allow: methods,
  "access-control-allow-methods": methods,
  "access-control-allow-headers": ALLOWED_HEADERS,
  "access-control-max-age": "86400",
});
