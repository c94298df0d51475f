import { skillTexts } from "./agent-skill";

export const AI_CATALOG_MEDIA = "application/ai-catalog+json";

/** What agents can use of this service: the connector's card and the skills (AI Catalog 1.0). Pure. */
export function aiCatalog(base: string): object {
  const { hostname } = new URL(base);
  const entries = [
    {
      identifier: `urn:air:${hostname}:mcp:parquetry`,
      type: "application/mcp-server-card+json",
      url: `${base}/api/mcp/server-card`,
    },
    ...skillTexts(base).map(({ name, description, path }) => ({
      identifier: `urn:air:${hostname}:skill:${name}`,
      type: "application/agent-skills+md",
      displayName: name,
      description,
      url: `${base}${path}`,
    })),
  ];
  const host = { displayName: "Parquetry", documentationUrl: `${base}/docs/agents`, logoUrl: `${base}/icon.svg` };
  return { specVersion: "1.0", host, entries };
}
