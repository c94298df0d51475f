import { resourceAt } from "@/lib/oauth/server-metadata";
import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "./protocol-versions";
import { SERVER_DESCRIPTION, SERVER_NAME, SERVER_TITLE, SERVER_VERSION, serverIcons } from "./server";
import { TOOLBOX } from "./tools";

/** What the connector is, for directories and clients that have not called it yet. */
export function serverCard(base: string): object {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${reversed(new URL(base).hostname)}/${SERVER_NAME}`,
    title: SERVER_TITLE,
    version: SERVER_VERSION,
    description: SERVER_DESCRIPTION,
    websiteUrl: base,
    icons: serverIcons(base),
    remotes: [
      {
        type: "streamable-http",
        url: `${base}/api/mcp`,
        supportedProtocolVersions: [DIRECT_VERSION, ...HANDSHAKE_VERSIONS],
      },
    ],
  };
}

/** Names of servers are in reverse DNS order: data.example.org is org.example.data. */
const reversed = (host: string): string =>
  host
    .replace(/[^a-zA-Z0-9.-]/g, "")
    .split(".")
    .reverse()
    .join(".") || "localhost";

/** The card with two additions that it has no field for: the tools, and how a caller authenticates. */
export function connectorDescriptor(base: string): object {
  const needs = {
    connector_open: "none",
    connector_read: "use key, OAuth connection or device",
    connector_change: "OAuth connection or device",
    connector_build: "OAuth connection or device with datasets:build, in a workspace on a paid plan",
  } as const;
  return {
    ...serverCard(base),
    documentation: `${base}/docs/connect.md`,
    tools: TOOLBOX.all.map(({ name, title, access }) => ({ name, title, credential: needs[access] })),
    authentication: {
      use_key: { header: "Authorization: Bearer svc_use_…", created_at: `${base}/settings/access` },
      device: { command: `parquetry login --url ${base}`, page: `${base}/device` },
      protected_resource_metadata: resourceAt(base, "/api/mcp").metadata,
      signed_in_only: {
        url: `${base}/api/mcp/account`,
        protected_resource_metadata: resourceAt(base, "/api/mcp/account").metadata,
      },
    },
  };
}
