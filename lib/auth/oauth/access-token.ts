import { type Failure, fail } from "@/lib/errors";
import { touchConnection } from "@/lib/store/agent-connections";
import { type FoundToken, findToken } from "@/lib/store/oauth-tokens";
import { isOAuthSecret, oauthHash } from "./token";

/** Whom an access token speaks for, and what it may do. */
export type AgentGrant = Pick<FoundToken, "connectionId" | "clientId" | "userId" | "workspaceId" | "scopes">;

/**
 * The grant behind an access token, at the address that it was given for. Refuses an unknown one with key_invalid, one for another address with
 * key_wrong_type, and with key_expired or key_revoked: who holds a token may know what became of it. Asks the database each time, so that a revocation holds at once.
 */
export async function authenticateAccessToken(token: string, resource: string, now: Date): Promise<AgentGrant> {
  const found = isOAuthSecret(token, "access") ? await findToken(oauthHash(token)) : undefined;
  if (found?.kind !== "access") throw fail("key_invalid", { message: "This access token was not given out here. Sign in again." });
  const refusal = refusalOf(found, resource, now);
  if (refusal) throw refusal;
  void touchConnection(found.connectionId, now).catch(() => undefined);
  return found;
}

function refusalOf(found: FoundToken, resource: string, now: Date): Failure | undefined {
  if (found.resource !== resource) return fail("key_wrong_type", { message: `This access token is for ${found.resource}, and for no other address.` });
  if (found.endedAt !== null || found.revokedAt !== null) return fail("key_revoked", { message: "This connection has been ended. Sign in again." });
  if (found.expiresAt <= now) return fail("key_expired", { message: "This access token has expired. Refresh it, or sign in again." });
  return undefined;
}

/** Whether a token opens anything now. */
export const isLive = (token: FoundToken, now: Date): boolean =>
  token.endedAt === null && token.revokedAt === null && token.expiresAt > now && token.replacedAt === null;
