import { touchConnection } from "@/lib/store/agent-connections";
import { type FoundToken, findToken } from "@/lib/store/oauth-tokens";
import { isOAuthSecret, oauthHash } from "./token";

/** Whom an access token speaks for, and what it may do. */
export type AgentGrant = Pick<FoundToken, "connectionId" | "clientId" | "userId" | "workspaceId" | "scopes">;

/**
 * The grant behind an access token, at the address that it was given for; undefined for anything else: unknown, expired, revoked,
 * meant for another address, of somebody who was shut out or left the workspace. Asks the database each time, so that a revocation holds at once.
 */
export async function authenticateAccessToken(token: string, resource: string, now: Date): Promise<AgentGrant | undefined> {
  const found = isOAuthSecret(token, "access") ? await findToken(oauthHash(token)) : undefined;
  if (found?.kind !== "access" || !isLive(found, now) || found.resource !== resource) return undefined;
  void touchConnection(found.connectionId, now).catch(() => undefined);
  return found;
}

/** Whether a token opens anything now. */
export const isLive = (token: FoundToken, now: Date): boolean =>
  token.endedAt === null && token.revokedAt === null && token.expiresAt > now && token.replacedAt === null;
