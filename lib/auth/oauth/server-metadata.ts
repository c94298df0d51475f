import { SCOPES } from "./scopes";

/** Every address of the authorization server and of what it guards, in one place. `base` has no trailing slash. */
export const oauthAddresses = (base: string) => ({
  issuer: base,
  resource: `${base}/api/mcp`,
  authorize: `${base}/oauth/authorize`,
  token: `${base}/api/oauth/token`,
  register: `${base}/api/oauth/register`,
  revoke: `${base}/api/oauth/revoke`,
  introspect: `${base}/api/oauth/introspect`,
  resourceMetadata: `${base}/.well-known/oauth-protected-resource/api/mcp`,
});

const CLIENT_AUTH = ["none", "client_secret_basic", "client_secret_post"];

/** RFC 8414, with what the connector's clients look for. */
export function authorizationServerMetadata(base: string): Record<string, unknown> {
  const at = oauthAddresses(base);
  return {
    issuer: at.issuer,
    authorization_endpoint: at.authorize,
    token_endpoint: at.token,
    registration_endpoint: at.register,
    revocation_endpoint: at.revoke,
    introspection_endpoint: at.introspect,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTH,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base}/docs`,
  };
}

/** RFC 9728: where whoever is refused at the connector gets a token. */
export function protectedResourceMetadata(base: string): Record<string, unknown> {
  const at = oauthAddresses(base);
  return {
    resource: at.resource,
    authorization_servers: [at.issuer],
    scopes_supported: ["datasets:read"],
    bearer_methods_supported: ["header"],
    resource_name: "Parquetry",
    resource_documentation: `${base}/docs`,
  };
}
