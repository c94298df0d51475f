import { timingSafeEqual } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import { revokeConnection } from "@/lib/store/people/agent-connections";
import { findClient, type StoredClient, touchClient } from "@/lib/store/people/oauth-clients";
import {
  type FoundCode,
  type FoundToken,
  findCode,
  findToken,
  insertTokens,
  replaceToken,
  takeCode,
} from "@/lib/store/people/oauth-tokens";
import { DEVICE_CODE_GRANT } from "./command-line-client";
import { ACCESS_SECONDS, REFRESH_SECONDS } from "./lifetimes";
import { isSameResource } from "./same-resource";
import { isOAuthSecret, newOAuthSecret, oauthHash, successorOf } from "./token";

/**
 * A reply can be lost, so for this long the program may send the same refresh token again. It gets the same successor,
 * as long as nobody has used that.
 */
const GRACE_MS = 30_000;

const GRANTS = ["authorization_code", "refresh_token"];

/**
 * The library uses the machine's clock. What has expired by ours is not found, and for the library the rest never
 * expires.
 */
const NEVER = new Date(8.64e15);

interface Holder {
  connectionId: string;
  resource: string;
  /** The refresh token that was sent, if one was. */
  refreshToken?: string;
}

/**
 * The library's view of the database. Everything that must happen only once is one statement that reports whether it
 * did. `resource`: the URL that the program requests tokens for, if it names one.
 */
export function oauthModel(
  resource: string | undefined,
  now: Date,
): OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel {
  return {
    getClient: async (id, secret) => clientFor(id, secret),
    generateAccessToken: async () => newOAuthSecret("access"),
    generateRefreshToken: async (_client, user) => nextRefreshToken(user as Holder),
    getAuthorizationCode: async (text) => forResource(await codeFor(text, now), resource),
    revokeAuthorizationCode: async ({ authorizationCode, user }) => useCode(authorizationCode, user as Holder, now),
    saveAuthorizationCode: () => Promise.reject(new Error("codes are kept with the consent")),
    getAccessToken: async () => null,
    getRefreshToken: async (text) => forResource(await refreshTokenFor(text, now), resource),
    revokeToken: async ({ refreshToken, user }) => useRefreshToken(refreshToken, user as Holder, now),
    saveToken: async (token, client, user) => save(token, client, user as Holder, now),
  };
}

/** The client, if it has authenticated by the method that it registered. */
async function clientFor(id: string, secret: string | null | undefined): Promise<OAuth2Server.Client | null> {
  const client = await findClient(id);
  if (!client || !isProven(client, secret ?? undefined)) return null;
  return {
    id: client.id,
    grants: client.kind === "builtin" ? [DEVICE_CODE_GRANT] : GRANTS,
    redirectUris: client.redirectUris,
  };
}

function isProven({ authMethod, secretHash }: StoredClient, secret: string | undefined): boolean {
  if (authMethod === "none") return secret === undefined || secret === "";
  return secretHash !== null && secret !== undefined && timingSafeEqual(secretHash, oauthHash(secret));
}

async function codeFor(text: string, now: Date): Promise<OAuth2Server.AuthorizationCode | null> {
  const found = isOAuthSecret(text, "code") ? await findCode(oauthHash(text)) : undefined;
  if (!found) return null;
  if (found.usedAt) await endFamily(found, "code replayed");
  if (found.usedAt || found.endedAt || found.expiresAt <= now) return null;
  return {
    authorizationCode: text,
    expiresAt: NEVER,
    redirectUri: found.redirectUri,
    codeChallenge: found.codeChallenge,
    codeChallengeMethod: "S256",
    scope: found.scopes,
    client: { id: found.clientId, grants: GRANTS },
    user: holderOf(found),
  };
}

/** Rejects tokens for a URL other than the one the person consented to. */
function forResource<Found extends { user: OAuth2Server.User }>(
  found: Found | null,
  asked: string | undefined,
): Found | null {
  const { resource } = (found?.user ?? {}) as Partial<Holder>;
  if (found && asked !== undefined && !isSameResource(asked, resource ?? ""))
    throw new OAuth2Server.OAuthError(`resource must be ${resource}`, {
      code: 400,
      name: "invalid_target",
    });
  return found;
}

async function useCode(text: string, holder: Holder, now: Date): Promise<boolean> {
  const isFirst = await takeCode(oauthHash(text), now);
  if (!isFirst) await endFamily(holder, "code replayed");
  return isFirst;
}

async function refreshTokenFor(text: string, now: Date): Promise<OAuth2Server.RefreshToken | null> {
  const found = isOAuthSecret(text, "refresh") ? await findToken(oauthHash(text)) : undefined;
  if (found?.kind !== "refresh" || found.endedAt || found.revokedAt || found.expiresAt <= now) return null;
  return {
    refreshToken: text,
    refreshTokenExpiresAt: NEVER,
    scope: found.scopes,
    client: { id: found.clientId, grants: GRANTS },
    user: { ...holderOf(found), refreshToken: text },
  };
}

const nextRefreshToken = ({ refreshToken }: Holder): string =>
  refreshToken === undefined ? newOAuthSecret("refresh") : successorOf(refreshToken);

async function useRefreshToken(text: string, holder: Holder, now: Date): Promise<boolean> {
  const [hash, successor] = [oauthHash(text), oauthHash(successorOf(text))];
  const isOurs = await replaceToken(hash, successor, now, new Date(now.getTime() - GRACE_MS));
  if (!isOurs) await endFamily(holder, "refresh token replayed");
  return isOurs;
}

async function save(
  token: OAuth2Server.Token,
  client: OAuth2Server.Client,
  holder: Holder,
  now: Date,
): Promise<OAuth2Server.Token> {
  const scopes = token.scope ?? [];
  const kept = [
    { kind: "access" as const, hash: oauthHash(token.accessToken), scopes, expiresAt: inSeconds(ACCESS_SECONDS, now) },
    {
      kind: "refresh" as const,
      hash: oauthHash(token.refreshToken as string),
      scopes,
      expiresAt: inSeconds(REFRESH_SECONDS, now),
    },
  ];
  const refused = await insertTokens(holder.connectionId, kept, now);
  if (refused === "ended") throw new OAuth2Server.InvalidGrantError("the connection was revoked");
  if (refused) throw new OAuth2Server.InvalidGrantError("this refresh token was exchanged for other scopes before");
  await touchClient(client.id, now);
  return { ...token, client, user: holder };
}

const inSeconds = (seconds: number, now: Date): Date => new Date(now.getTime() + seconds * 1000);

const holderOf = ({ connectionId, resource }: FoundCode | FoundToken): Holder => ({ connectionId, resource });

/** Somebody else holds a secret of this family, so all of its tokens are revoked (RFC 9700, 4.14). */
const endFamily = ({ connectionId }: Pick<Holder, "connectionId">, reason: string) =>
  revokeConnection({ id: connectionId }, { actor: "service" }, reason);
