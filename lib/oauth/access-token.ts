import { keyKindOf } from "@/lib/auth/key-form";
import { type Failure, fail } from "@/lib/kernel/errors";
import { touchConnection } from "@/lib/store/people/agent-connections";
import { type FoundToken, findToken } from "@/lib/store/people/oauth-tokens";
import { isOAuthSecret, oauthHash } from "./token";

/** Who an access token acts for, and what it may do. */
export type AgentGrant = Pick<FoundToken, "connectionId" | "clientId" | "userId" | "workspaceId" | "scopes" | "kind">;

/**
 * The kind of a bearer token, judged by its form: an agent's access token, or a device's credential. Undefined for
 * anything else.
 */
export function grantKindOf(token: string): "access" | "device" | undefined {
  if (isOAuthSecret(token, "access")) return "access";
  return keyKindOf(token) === "cli" ? "device" : undefined;
}

/**
 * The grant behind an access token or a device's credential, at the URL that it was issued for. Fails with key_invalid
 * if it is unknown, key_wrong_type if it was issued for another URL, and key_expired or key_revoked: the holder of a
 * token may know its state. Queries the database each time, so a revocation applies immediately.
 */
export async function authenticateAccessToken(token: string, resource: string, now: Date): Promise<AgentGrant> {
  const kind = grantKindOf(token);
  const found = kind && (await findToken(oauthHash(token)));
  if (!found || found.kind !== kind)
    throw fail("key_invalid", { message: "This credential was not issued by this server. Sign in again." });
  const rejection = rejectionOf(found, resource, now);
  if (rejection) throw rejection;
  void touchConnection(found.connectionId, now).catch(() => undefined);
  return found;
}

function rejectionOf(found: FoundToken, resource: string, now: Date): Failure | undefined {
  if (found.resource !== resource)
    return fail("key_wrong_type", { message: `This credential is valid only for ${found.resource}.` });
  if (found.endedAt !== null || found.revokedAt !== null)
    return fail("key_revoked", { message: "This connection was revoked. Sign in again." });
  if (found.expiresAt <= now)
    return fail("key_expired", {
      message:
        found.kind === "device"
          ? "This device's credential has expired. Sign in again."
          : "This access token has expired. Refresh it, or sign in again.",
    });
  return undefined;
}

/** Whether a token is valid now. */
export const isLive = (token: FoundToken, now: Date): boolean =>
  token.endedAt === null && token.revokedAt === null && token.expiresAt > now && token.replacedAt === null;
