/** A reply of an authorization server endpoint: JSON that is not cached. */
export interface OAuthReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Null for an empty body. */
  body: Readonly<Record<string, unknown>> | null;
}

const NEVER_KEPT = { "cache-control": "no-store", pragma: "no-cache" };

export const oauthReply = (
  status: number,
  body: OAuthReply["body"],
  headers: Readonly<Record<string, string>> = {},
): OAuthReply => ({
  status,
  headers: { ...NEVER_KEPT, ...headers },
  body,
});

/** An error of RFC 6749 and related RFCs. A client that is unknown, or fails to authenticate, is 401. */
export function oauthError(error: string, description: string): OAuthReply {
  const body = { error, error_description: description };
  return error === "invalid_client"
    ? oauthReply(401, body, { "www-authenticate": 'Basic realm="OAuth clients"' })
    : oauthReply(400, body);
}
