import { database, lookUp } from "@/lib/store/postgres/database";
import type { OAuthTokenKind } from "@/prisma/generated/client";

/**
 * A code or token with its connection. `endedAt`: when the connection was revoked, or its person disabled or removed
 * from the workspace.
 */
export interface FoundCode {
  connectionId: string;
  clientId: string;
  userId: string;
  workspaceId: string;
  resource: string;
  scopes: string[];
  expiresAt: Date;
  endedAt: Date | null;
  redirectUri: string;
  codeChallenge: string;
  usedAt: Date | null;
}

export interface FoundToken extends Omit<FoundCode, "redirectUri" | "codeChallenge" | "usedAt"> {
  kind: OAuthTokenKind;
  issuedAt: Date;
  replacedAt: Date | null;
  revokedAt: Date | null;
}

const CONNECTION = `c.id AS "connectionId", c."clientId", c."userId", c."workspaceId", c.resource,
  CASE WHEN m."userId" IS NULL THEN COALESCE(c."revokedAt", c."createdAt") ELSE COALESCE(c."revokedAt", \
u."disabledAt") END AS "endedAt"`;
const JOINED = `JOIN "AgentConnection" c ON c.id = t."connectionId" JOIN "User" u ON u.id = c."userId"
  LEFT JOIN "Membership" m ON m."userId" = c."userId" AND m."workspaceId" = c."workspaceId"`;
const FIND_CODE =
  `SELECT ${CONNECTION}, c.scopes, t."redirectUri", t."codeChallenge", t."expiresAt", t."usedAt" FROM ` +
  `"OAuthCode" t ${JOINED} WHERE t.hash = $1`;
const FIND_TOKEN =
  `SELECT ${CONNECTION}, t.kind::text AS kind, t.scopes, t."issuedAt", t."expiresAt", t."replacedAt", ` +
  `t."revokedAt" FROM "OAuthToken" t ${JOINED} WHERE t.hash = $1`;

/** The code with this hash, including used and expired ones. */
export async function findCode(hash: Uint8Array): Promise<FoundCode | undefined> {
  const [code] = await lookUp<FoundCode>("find-oauth-code", FIND_CODE, [hash]);
  return code;
}

/** Marks a code as used; of several simultaneous calls, exactly one gets true. */
export async function takeCode(hash: Uint8Array<ArrayBuffer>, now: Date): Promise<boolean> {
  const { prisma } = await database();
  const { count } = await prisma.oAuthCode.updateMany({
    where: { hash, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}

/** The token with this hash, including ended ones. One round trip. */
export async function findToken(hash: Uint8Array): Promise<FoundToken | undefined> {
  const [token] = await lookUp<FoundToken>("find-oauth-token", FIND_TOKEN, [hash]);
  return token;
}

/**
 * Marks a refresh token as used. False if somebody else holds it too: it was used before `graceFrom`, or the one that
 * replaced it (with the hash `successor`) has been used in the meantime.
 */
export async function replaceToken(
  hash: Uint8Array<ArrayBuffer>,
  successor: Uint8Array<ArrayBuffer>,
  now: Date,
  graceFrom: Date,
): Promise<boolean> {
  const { pool } = await database();
  const { rowCount } = await pool.query(
    `UPDATE "OAuthToken" SET "replacedAt" = COALESCE("replacedAt", $3) WHERE hash = $1 AND "revokedAt" IS NULL ` +
      `AND ("replacedAt" IS NULL OR ("replacedAt" >= $4 AND NOT EXISTS ` +
      `(SELECT FROM "OAuthToken" WHERE hash = $2 AND "replacedAt" IS NOT NULL)))`,
    [hash, successor, now, graceFrom],
  );
  return rowCount === 1;
}

export interface NewToken {
  hash: Uint8Array<ArrayBuffer>;
  kind: OAuthTokenKind;
  scopes: string[];
  expiresAt: Date;
}

/**
 * Stores the tokens of an exchange and deletes the connection's tokens that expired over a day ago. A token that an
 * earlier sending of the same request stored remains as it is. Returns why nothing was stored: the connection has ended
 * in the meantime, or the earlier request was for other scopes.
 */
export async function insertTokens(
  connectionId: string,
  tokens: readonly NewToken[],
  now: Date,
): Promise<"ended" | "other scopes" | undefined> {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    const { count } = await transaction.agentConnection.updateMany({
      where: { id: connectionId, revokedAt: null },
      data: { lastUsedAt: now },
    });
    if (count === 0) return "ended";
    const hashes = tokens.map(({ hash }) => hash);
    const scopes = tokens.map((token) => ({ scopes: { equals: token.scopes } }));
    if ((await transaction.oAuthToken.count({ where: { hash: { in: hashes }, NOT: { OR: scopes } } })) > 0)
      return "other scopes";
    await transaction.agentConnection.updateMany({
      where: { id: connectionId, connectedAt: null },
      data: { connectedAt: now },
    });
    await transaction.oAuthToken.deleteMany({
      where: { connectionId, expiresAt: { lt: new Date(now.getTime() - 86_400_000) } },
    });
    await transaction.oAuthToken.createMany({
      data: tokens.map((token) => ({ ...token, connectionId, issuedAt: now })),
      skipDuplicates: true,
    });
    return undefined;
  });
}

/** Revokes one token permanently. */
export async function revokeToken(hash: Uint8Array<ArrayBuffer>, now: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.oAuthToken.updateMany({ where: { hash, revokedAt: null }, data: { revokedAt: now } });
}
