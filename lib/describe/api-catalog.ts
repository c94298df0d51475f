/** As RFC 9727, section 4.2, requires. */
export const API_CATALOG_MEDIA = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The service's APIs and what describes them (RFC 9727, as a link set of RFC 9264). Pure. */
export function apiCatalog(base: string): object {
  const href = (path: string, type: string) => ({ href: `${base}${path}`, type });
  return {
    linkset: [
      {
        anchor: `${base}/api/v2/public`,
        "service-desc": [href("/api/v2/public/openapi.json", "application/json")],
        "service-doc": [href("/docs", "text/html"), href("/docs.md", "text/markdown"), href("/llms.txt", "text/plain")],
        status: [href("/status.json", "application/json")],
      },
      {
        anchor: `${base}/api/mcp`,
        "service-desc": [href("/api/mcp/server-card", "application/mcp-server-card+json")],
        "service-doc": [href("/docs/connect", "text/html"), href("/docs/connect.md", "text/markdown")],
      },
    ],
  };
}
