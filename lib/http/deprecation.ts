import type { Deprecation } from "@/lib/operations/operation";

/**
 * The headers of every reply of a deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594), and links to the
 * change policy and to its replacement.
 */
export function deprecationHeaders({ since, sunset, successor }: Deprecation, base: string): Record<string, string> {
  const policy = `<${base}/docs/changes>; rel="deprecation"; type="text/html"`;
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    sunset: sunset.toUTCString(),
    link: successor === undefined ? policy : `${policy}, <${base}${successor}>; rel="successor-version"`,
  };
}
