import { DEVICE_CODE_GRANT } from "./command-line-client";
import { SCOPES } from "./scopes";

/**
 * The paths of the connector. It is available at two, because some clients sign in only if every method requires it.
 * Each is its own resource (RFC 8707): a token for one is invalid at the other. The first is the default if a program
 * names none.
 */
export const CONNECTOR_PATHS = ["/api/mcp", "/api/mcp/account"] as const;
export type ConnectorPath = (typeof CONNECTOR_PATHS)[number];

/** The resource that a token for the connector at `path` names, and the URL of the document about it (RFC 9728). */
export const resourceAt = (base: string, path: ConnectorPath) => ({
  resource: `${base}${path}`,
  metadata: `${base}/.well-known/oauth-protected-resource${path}`,
});

/** Every URL of the authorization server and of what it protects, in one place. `base` has no trailing slash. */
export const oauthAddresses = (base: string) => ({
  issuer: base,
  resources: CONNECTOR_PATHS.map((path) => resourceAt(base, path).resource),
  authorize: `${base}/oauth/authorize`,
  token: `${base}/api/oauth/token`,
  register: `${base}/api/oauth/register`,
  revoke: `${base}/api/oauth/revoke`,
  introspect: `${base}/api/oauth/introspect`,
  deviceAuthorization: `${base}/api/oauth/device_authorization`,
  device: `${base}/device`,
});

const CLIENT_AUTH = ["none", "client_secret_basic", "client_secret_post"];

/** RFC 8414 metadata, with the fields that the connector's clients look for. */
export function authorizationServerMetadata(base: string): Record<string, unknown> {
  const at = oauthAddresses(base);
  return {
    issuer: at.issuer,
    authorization_endpoint: at.authorize,
    token_endpoint: at.token,
    registration_endpoint: at.register,
    revocation_endpoint: at.revoke,
    introspection_endpoint: at.introspect,
    device_authorization_endpoint: at.deviceAuthorization,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_CODE_GRANT],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTH,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base}/docs/connect`,
    op_policy_uri: `${base}/docs/privacy`,
  };
}

/** RFC 9728 metadata: where a client that the connector rejected gets a token. */
export function protectedResourceMetadata(base: string, path: ConnectorPath): Record<string, unknown> {
  const at = oauthAddresses(base);
  return {
    resource: resourceAt(base, path).resource,
    authorization_servers: [at.issuer],
    scopes_supported: ["datasets:read", "datasets:build"],
    bearer_methods_supported: ["header"],
    resource_name: "Parquetry",
    resource_documentation: `${base}/docs/connect`,
    resource_policy_uri: `${base}/docs/privacy`,
  };
}
