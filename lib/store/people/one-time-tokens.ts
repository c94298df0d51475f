import { database } from "@/lib/store/postgres/database";
import type { TokenPurpose } from "@/prisma/generated/client";

export interface TokenRecord {
  email: string;
  userId: string | null;
}

export interface NewToken extends TokenRecord {
  hash: Uint8Array<ArrayBuffer>;
  purpose: TokenPurpose;
  expiresAt: Date;
}

/** Stores the hash of a new token; deletes expired ones. */
export async function insertToken(token: NewToken): Promise<void> {
  const { prisma } = await database();
  await prisma.oneTimeToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  await prisma.oneTimeToken.create({ data: token });
}

/** Invalidates a person's earlier tokens of a kind. */
export async function dropTokens(userId: string, purpose: TokenPurpose): Promise<void> {
  const { prisma } = await database();
  await prisma.oneTimeToken.deleteMany({ where: { userId, purpose } });
}

/** The person and address that a token stands for, without using it up. */
export async function findToken(
  hash: Uint8Array<ArrayBuffer>,
  purpose: TokenPurpose,
  now: Date,
): Promise<TokenRecord | undefined> {
  const { prisma } = await database();
  const found = await prisma.oneTimeToken.findUnique({
    where: { hash, purpose, expiresAt: { gt: now } },
    select: { email: true, userId: true },
  });
  return found ?? undefined;
}

/** Uses up a token: of several simultaneous calls, exactly one gets what it stands for. */
export async function takeToken(
  hash: Uint8Array<ArrayBuffer>,
  purpose: TokenPurpose,
  now: Date,
): Promise<TokenRecord | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<TokenRecord & { expiresAt: Date }>(
    `DELETE FROM "OneTimeToken" WHERE hash = $1 AND purpose = $2::"TokenPurpose" RETURNING email, "userId", ` +
      `"expiresAt"`,
    [hash, purpose],
  );
  return rows[0] && rows[0].expiresAt > now ? rows[0] : undefined;
}
